import AssetFiles
import CommandKit
import Glibc
import RecordServer
import RecordServerHTTP
import RecordStorageSQLite
import ServerAccess

/// Where a server keeps everything: who may come, and the containers.
///
/// ```
/// DATA/accounts.sqlite
/// DATA/containers/NAME/development.sqlite, development.assets/, production.sqlite, …
/// ```
struct DataFolder: Sendable {
  let path: String

  /// Whether nothing was ever kept here.
  var isNew: Bool { access("\(path)/accounts.sqlite", F_OK) != 0 }

  /// Makes the folder where there is none; nobody but its owner can look into it.
  func make() throws(UsageError) {
    for folder in [path, containersPath] { try Self.makeFolder(folder) }
  }

  /// Keeps the folder to this process; another daemon on it would not know of our caches.
  ///
  /// The lock goes with the process, however it ends.
  func lock() throws(UsageError) {
    let file = "\(path)/recordd.lock"
    let descriptor = open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(file) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw UsageError(
        "another recordd serves \(path)", fix: "stop it, or give this one another --data")
    }
  }

  /// Users, tokens and keys; the file is made where there is none.
  func accounts() throws -> AccountFile { try AccountFile(at: "\(path)/accounts.sqlite") }

  /// The names of the containers, in order.
  func containerNames() throws(UsageError) -> [String] {
    guard let folder = opendir(containersPath) else { throw Self.failure(containersPath) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          String(cString: $0)
        }
      }
      if ContainerName.isValid(name) { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes a container; one that is there stays as it is.
  func makeContainer(_ name: String) throws(UsageError) {
    guard ContainerName.isValid(name) else {
      throw UsageError(
        "\"\(name)\" cannot be the name of a container",
        fix: "use letters, digits, dots, hyphens and underscores, such as iCloud.org.example.notes")
    }
    try Self.makeFolder(folder(of: name))
  }

  /// The folder of a container.
  func folder(of container: String) -> String { "\(containersPath)/\(container)" }

  /// Opens an environment of a container.
  func storage(
    _ container: String, _ environment: SchemaEnvironment
  ) throws -> ContainerHost.Storage {
    let base = "\(folder(of: container))/\(environment.rawValue)"
    return ContainerHost.Storage(
      try SQLiteStorage(at: "\(base).sqlite", newEpoch: UInt64.random(in: 1 ... .max)),
      files: try AssetFolder(at: "\(base).assets"))
  }

  private var containersPath: String { "\(path)/containers" }

  private static func makeFolder(_ path: String) throws(UsageError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    throw failure(path)
  }

  private static func failure(_ path: String) -> UsageError {
    let reason = String(cString: strerror(errno))
    return UsageError(
      "\(path) cannot be used: \(reason)", fix: "check the path, and who may write there")
  }
}

/// Names that a container can have: what can stand in an address and in a file system.
enum ContainerName {
  static let bytesMax = 128

  static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= bytesMax, isLetterOrDigit(first) else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      isLetterOrDigit(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: "_")
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"):
      true
    default: false
    }
  }
}

extension AccountFile {
  /// Whether nobody was ever let in: then this is a first start, also where an earlier one has failed.
  func isUntouched() throws -> Bool {
    try users().isEmpty && apiTokens().isEmpty && managementTokens().isEmpty && serverKeys().isEmpty
  }

  /// What the server seals addresses of files with.
  func assetSeal() throws -> Seal {
    guard let seal = Seal(key: try derivedKey(for: "assets")) else {
      throw UsageError("\(path) has no secret of use", fix: "restore the file from a backup")
    }
    return seal
  }
}

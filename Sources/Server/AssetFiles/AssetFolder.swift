import Dispatch
import Glibc
public import RecordServer
import Synchronization

/// The folder with the files of one storage's assets, each named by the digest of its bytes:
/// `assets/ab/abcdef…`.
///
/// A file is written under another name, in `assets/new`, and gets its own once it is whole and on the
/// disk, so that a file with a digest's name always has its bytes. There is one `AssetFolder` for a folder:
/// another one, also in another process, would take its unfinished files for left-overs.
///
/// ```swift
/// let writer = try folder.newFile()
/// for try await part in body { try writer.append(part) }
/// let file = try await writer.finish()
/// try await folder.keep(file, in: storage, now: now)
/// ```
public final class AssetFolder: Sendable {
  /// The folder's path.
  public let path: String
  /// Where the files are spread over: by the first byte of their digests.
  static let partCount = 256

  private let counter = Atomic<UInt64>(0)
  /// The parts of the folder that are on the disk for certain; others are made by the first file in them.
  private let parts: Mutex<Set<String>>
  /// Where the disk is waited for, so that event loops need not.
  private let queue = DispatchQueue(label: "contrail.assets", attributes: .concurrent)

  /// Opens the folder, or makes it, and removes what unfinished uploads left there.
  public init(at path: String) throws(AssetFileError) {
    self.path = path
    for folder in [path, "\(path)/new"] { try Self.make(folder) }
    let entries = Set(try Self.names(in: path))
    parts = Mutex(entries.intersection((0..<Self.partCount).map(Self.part)))
    try Self.synchronize(path)
    for name in try Self.names(in: "\(path)/new") { unlink("\(path)/new/\(name)") }
  }

  /// Begins a file.
  public func newFile() throws(AssetFileError) -> AssetFileWriter {
    let number = counter.wrappingAdd(1, ordering: .relaxed).oldValue
    return try AssetFileWriter(self, "\(path)/new/\(number)")
  }

  /// Keeps bytes that are all there, without making an event loop wait for the disk.
  public func store(_ bytes: [UInt8]) async throws -> AssetFile {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Result {
            let writer = try self.newFile()
            try writer.append(bytes)
            return try writer.finishAndWait()
          })
      }
    }
  }

  /// How long the file of an address is; nil when there is none.
  public func size(of address: AssetAddress) -> Int64? {
    var facts = stat()
    return stat(place(address), &facts) == 0 ? Int64(facts.st_size) : nil
  }

  /// Opens the file of an address for reading; nil when there is none.
  public func reader(of address: AssetAddress) throws(AssetFileError) -> AssetFileReader? {
    try AssetFileReader(place(address))
  }

  /// Bytes of a file, fewer where it ends before; nil when there is none.
  ///
  /// For ranges that are not small use a reader.
  public func read(
    _ address: AssetAddress, _ range: Range<Int64>
  ) throws(AssetFileError) -> [UInt8]? {
    guard let reader = try reader(of: address) else { return nil }
    return try reader.bytes(range)
  }
}

// Files come and go.
extension AssetFolder {
  static func part(_ number: Int) -> String {
    number < 16 ? "0" + String(number, radix: 16) : String(number, radix: 16)
  }

  func folder(of address: AssetAddress) -> String { "\(path)/\(address.hexadecimal.prefix(2))" }

  /// Gives an unfinished file its name, once the disk has it.
  func take(_ path: String, as address: AssetAddress) throws(AssetFileError) {
    try Self.synchronize(path)
    try makeFolder(of: address)
    let place = place(address)
    // The same bytes may be there already: then one file takes the other's place.
    guard rename(path, place) == 0 else {
      throw AssetFileError(.cannotWrite, place, "cannot get its name")
    }
    try Self.synchronize(folder(of: address))
  }

  /// Makes the folder that the file of an address belongs into, where it is not there, and waits for the
  /// disk: before that no file in it would outlast a crash.
  func makeFolder(of address: AssetAddress) throws(AssetFileError) {
    let part = String(address.hexadecimal.prefix(2))
    let folder = folder(of: address)
    try parts.withLock { parts throws(AssetFileError) in
      if parts.contains(part) { return }
      try Self.make(folder)
      try Self.synchronize(path)
      parts.insert(part)
    }
  }

  private static func make(_ folder: String) throws(AssetFileError) {
    if mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw AssetFileError(
        .cannotOpen, folder, "cannot be made", fix: "check who may write to the folder")
    }
  }

  func place(_ address: AssetAddress) -> String {
    "\(folder(of: address))/\(address.hexadecimal)"
  }

  /// Removes a file, if it is there: only within a transaction that knows that nobody needs it.
  func remove(_ address: AssetAddress) { unlink(place(address)) }

  /// The addresses of files that were written before a moment, in milliseconds since 1970, in one of
  /// the `partCount` parts of the folder.
  func addresses(
    inPart number: Int, writtenBefore moment: Int64
  ) throws(AssetFileError) -> [AssetAddress] {
    let part = Self.part(number)
    if !parts.withLock({ $0.contains(part) }) { return [] }
    let names = try Self.names(in: "\(path)/\(part)")
    return names.compactMap { AssetAddress(hexadecimal: $0) }.filter { address in
      var facts = stat()
      guard stat(place(address), &facts) == 0 else { return false }
      return Int64(facts.st_mtim.tv_sec) < moment / 1000
    }
  }

  /// Runs what waits for the disk, elsewhere.
  func waiting(
    _ body: @escaping @Sendable () throws(AssetFileError) -> Void
  ) async throws(AssetFileError) {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        do throws(AssetFileError) {
          try body()
          continuation.resume(returning: Result<Void, AssetFileError>.success(()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try result.get()
  }

  /// Waits until the disk has a file, or a folder's entries.
  static func synchronize(_ path: String) throws(AssetFileError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw AssetFileError(.cannotWrite, path, "cannot be opened") }
    defer { close(file) }
    // Some file systems have nothing to wait for in folders, and say so with EINVAL.
    guard fsync(file) == 0 || errno == EINVAL else {
      throw AssetFileError(.cannotWrite, path, "cannot be written to the disk")
    }
  }

  private static func names(in folder: String) throws(AssetFileError) -> [String] {
    guard let entries = opendir(folder) else {
      throw AssetFileError(.cannotOpen, folder, "cannot be read")
    }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) {
          String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}

extension AssetFileError {
  /// What went wrong with the call that has just set `errno`.
  init(_ code: Code, _ path: String, _ words: String, fix: String? = nil) {
    let reason = errno
    let usual =
      reason == ENOSPC || reason == EDQUOT
      ? "free some space on the disk" : "check the disk, and who may use the folder"
    self.init(
      code: code, path: path, message: "\(words): \(String(cString: strerror(reason)))",
      fix: fix ?? usual)
  }
}

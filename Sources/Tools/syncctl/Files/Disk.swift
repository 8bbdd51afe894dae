import FoundationEssentials

/// Reads files and directories; with `StoreFiles` the only part of the tool that touches the disk.
struct Disk {
  /// No schema is larger; a larger file was named by mistake.
  static let fileBytesMax = 64 << 20

  /// What a path leads to.
  enum Kind { case file, directory }

  func kind(of path: String) throws -> Kind {
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw DiskError(path: path, problem: "there is no such file or directory")
    }
    return isDirectory ? .directory : .file
  }

  /// The path, made absolute where it does not say which folder it stands in: `.`, `..`, or a bare
  /// name, which may be that of a version within a package.
  func pathThatNamesItsFolder(_ path: String) -> String {
    let parts = path.split(separator: "/")
    let isVague = path != "-" && !path.hasPrefix("/") && (parts.count <= 1 || parts.contains(".."))
    guard isVague, parts.first?.hasSuffix(".xcdatamodeld") != true else { return path }
    let absolute = "\(FileManager.default.currentDirectoryPath)/\(path)"
    let whole = URL(filePath: absolute).standardizedFileURL.path
    // Outside of a package the short path is as good, and reads better in messages.
    return whole.contains(".xcdatamodel") ? whole : path
  }

  func hasFile(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// The nearest folder, from `start` upwards, that holds something called `name`.
  func folder(holding name: String, from start: String) -> String? {
    var folder = Substring(start)
    while !folder.isEmpty {
      if hasFile("\(folder)/\(name)") { return String(folder) }
      folder = folder.lastIndex(of: "/").map { folder[..<$0] } ?? ""
    }
    return nil
  }

  /// The bytes of the file at `path`; `-` is standard input.
  func bytes(of path: String) throws -> [UInt8] {
    let source = path == "-" ? "/dev/stdin" : path
    do {
      let handle = try FileReader(source)
      return try handle.readAll(limit: Self.fileBytesMax)
    } catch let code as Errno {
      throw DiskError(path: path, problem: code.words)
    } catch is FileTooLarge {
      throw DiskError(path: path, problem: "it is larger than \(Self.fileBytesMax >> 20) MiB")
    }
  }

  /// The names in the directory at `path`, sorted.
  func names(in path: String) throws -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    } catch {
      throw DiskError(path: path, problem: "the directory cannot be read")
    }
  }

  /// Writes `text` to the file at `path`, or leaves what was there; a link goes on leading to its
  /// file.
  func write(_ text: String, to path: String) throws {
    do {
      try Data(text.utf8).write(to: URL(filePath: target(of: path)), options: .atomic)
    } catch {
      throw DiskError(path: path, problem: "it cannot be written")
    }
  }

  /// The path that symbolic links at `path` lead to, whether or not something is there.
  private func target(of path: String) -> String {
    // As many as Linux follows; a longer chain is a circle, and writing there says so.
    let linksMax = 40
    var path = path
    for _ in 0..<linksMax {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return path
      }
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = next.hasPrefix("/") ? next : "\(folder)\(next)"
    }
    return path
  }
}

/// A file or directory that the tool cannot use.
struct DiskError: Error, CustomStringConvertible {
  let path: String
  let problem: String

  var description: String { "cannot use \(path): \(problem)" }
}

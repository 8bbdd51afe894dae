import FoundationEssentials
import SyncClient

// Files of devices whose stores are files, as a transport takes and leaves them.
extension SyncCall {
  /// The request with the bytes of its file in its body; nil where the file cannot be read.
  var carryingFile: SyncCall? {
    guard let path = bodyFile else { return self }
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
    var call = self
    call.body = [UInt8](data)
    return call
  }
}

extension SyncReply {
  /// The answer with the bytes of a success in a file, where the request names one.
  func landing(in path: String?) throws -> SyncReply {
    guard let path, 200..<300 ~= status else { return self }
    try Data(body).write(to: URL(filePath: path))
    var reply = self
    reply.body = []
    return reply
  }
}

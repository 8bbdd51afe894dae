import CEpoll
import Glibc

/// A socket that listens, with the address that it really has.
struct ListeningSocket {
  let descriptor: Int32
  let address: ListenAddress

  /// Listens on an address; `reason` of what fails stands in the error.
  init(_ address: ListenAddress, backlog: Int) throws(HTTPServerError) {
    switch address {
    case .tcp(let host, let port): try self.init(host: host, port: port, backlog: backlog)
    case .unix(let path): try self.init(path: path, backlog: backlog)
    }
  }

  /// Another descriptor of the same socket.
  func duplicated() throws(HTTPServerError) -> ListeningSocket {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw Self.failure(address) }
    return ListeningSocket(descriptor: copy, address: address)
  }

  private init(descriptor: Int32, address: ListenAddress) {
    self.descriptor = descriptor
    self.address = address
  }

  private init(host: String, port: UInt16, backlog: Int) throws(HTTPServerError) {
    let wanted = ListenAddress.tcp(host: host, port: port)
    var storage = sockaddr_storage()
    guard let (family, length) = Self.fill(&storage, host: host, port: port) else {
      throw HTTPServerError(
        code: .badAddress, subject: host, message: "This is no IPv4 or IPv6 address",
        fix: "Give numbers such as 127.0.0.1, 0.0.0.0, ::1 or ::.")
    }
    let socket = contrail_socket(family)
    guard socket >= 0 else { throw Self.failure(wanted) }
    _ = contrail_set_shared_port(socket)
    _ = contrail_set_tcp_options(socket)
    if family == AF_INET6 {
      // An address is what it says; who wants both families lists both.
      _ = contrail_set_option(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 1)
    }
    guard Self.bind(socket, &storage, length) == 0, listen(socket, Int32(clamping: backlog)) == 0
    else {
      let error = Self.failure(wanted)
      _ = close(socket)
      throw error
    }
    self.init(descriptor: socket, address: .tcp(host: host, port: Self.port(of: socket) ?? port))
  }

  private init(path: String, backlog: Int) throws(HTTPServerError) {
    let wanted = ListenAddress.unix(path: path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard !path.isEmpty, path.utf8.count < room.count, !path.utf8.contains(0) else {
        return false
      }
      room.copyBytes(from: path.utf8)
      return true
    }
    guard fits else {
      throw HTTPServerError(
        code: .badAddress, subject: path, message: "The path of a socket has 1 to 107 bytes",
        fix: "Give a shorter path.")
    }
    let socket = contrail_socket(AF_UNIX)
    guard socket >= 0 else { throw Self.failure(wanted) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    if Self.isAbandoned(path, &address, length) { unlink(path) }
    guard Self.bind(socket, &address, length) == 0, listen(socket, Int32(clamping: backlog)) == 0
    else {
      let error = Self.failure(wanted)
      _ = close(socket)
      throw error
    }
    self.init(descriptor: socket, address: wanted)
  }

  /// Whether a socket stands at the path that nobody listens on.
  private static func isAbandoned(
    _ path: String, _ address: inout sockaddr_un, _ length: socklen_t
  ) -> Bool {
    var about = stat()
    guard lstat(path, &about) == 0, about.st_mode & S_IFMT == S_IFSOCK else { return false }
    let probe = contrail_socket(AF_UNIX)
    guard probe >= 0 else { return false }
    defer { _ = close(probe) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(probe, $0, length) }
    }
    return result != 0 && errno == ECONNREFUSED
  }

  private static func fill(
    _ storage: inout sockaddr_storage, host: String, port: UInt16
  ) -> (family: Int32, length: socklen_t)? {
    withUnsafeMutableBytes(of: &storage) { bytes in
      var four = sockaddr_in()
      if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        bytes.storeBytes(of: four, as: sockaddr_in.self)
        return (AF_INET, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
      var six = sockaddr_in6()
      if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        bytes.storeBytes(of: six, as: sockaddr_in6.self)
        return (AF_INET6, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
      return nil
    }
  }

  private static func bind<Address>(
    _ socket: Int32, _ address: inout Address, _ length: socklen_t
  ) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(socket, $0, length) }
    }
  }

  private static func port(of socket: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    guard result == 0 else { return nil }
    switch RemoteAddress(storage) {
    case .ipv4(_, let port), .ipv6(_, _, let port): return port
    case .local: return nil
    }
  }

  private static func failure(_ address: ListenAddress) -> HTTPServerError {
    HTTPServerError(
      code: .cannotListen, subject: "\(address)", message: HTTPServerError.text(errno),
      fix: "Choose an address of this machine that no other program listens on.")
  }
}

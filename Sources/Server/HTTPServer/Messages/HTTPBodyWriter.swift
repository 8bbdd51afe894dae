/// Why a part of a stream was not taken.
public enum HTTPStreamError: Error, Hashable, Sendable {
  /// The client has closed the connection, or did not read for too long.
  case clientIsGone
  /// The stream's function has returned.
  case streamHasEnded
}

/// Takes the parts of a streamed response.
public struct HTTPBodyWriter: Sendable {
  private let connection: Connection
  private let stream: UInt64

  init(connection: Connection, stream: UInt64) {
    self.connection = connection
    self.stream = stream
  }

  /// Sends a part; returns when the client has taken enough for the next one.
  public func write(_ bytes: [UInt8]) async throws {
    try await withCheckedThrowingContinuation { waiter in
      connection.loop.perform { [connection, stream] in
        connection.write(bytes, stream: stream, waiter)
      }
    }
  }

  /// Sends a text as UTF-8; returns when the client has taken enough for the next one.
  public func write(_ text: String) async throws { try await write(Array(text.utf8)) }
}

internal import Synchronization

/// The user's token, which a server may replace with each answer.
///
/// CloudKit's documentation says that a token of a user may be used once, and that answers bring the next in a
/// header. Its servers go on taking earlier ones, ours know no others: so the newest is sent, and the one that
/// was given when that is refused.
final class UserToken: Sendable {
  /// The header of answers that brings the next token.
  static let header = "X-Apple-CloudKit-Web-Auth-Token"
  /// The longest token that is taken from an answer, in bytes.
  static let bytesMax = 8_192

  private let given: String?
  private let newest: Mutex<String?>

  init(_ given: String?) {
    self.given = given
    newest = Mutex(given)
  }

  /// The token to ask with.
  var current: String? { newest.withLock { $0 } }

  /// Takes the next token from an answer, if it has one, and somebody is signed in.
  func take(_ next: String?) {
    guard given != nil, let next, 1...Self.bytesMax ~= next.utf8.count,
      next.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
    else { return }
    newest.withLock { $0 = next }
  }

  /// Gives up a token that was refused; false where it is the one that was given, and there is no other.
  func fallsBack(from token: String?) -> Bool {
    guard token != given else { return false }
    newest.withLock { if $0 == token { $0 = given } }
    return true
  }
}

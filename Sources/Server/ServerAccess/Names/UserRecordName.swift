/// The record names that stand for users and keys.
///
/// One user has another name in each environment of each container, so that two containers cannot find
/// out that they have a user in common.
enum UserRecordName {
  /// How many bytes of the code a name shows.
  static let codeBytes = 16

  /// The name of the user or the key `subject` in a place; nil when OpenSSL cannot compute it.
  static func make(_ subject: String, in place: ContainerPlace, secret: [UInt8]) -> String? {
    // No name has a zero byte, so that no two lists of names make the same message.
    let message =
      Array(place.container.utf8) + [0] + Array(place.environment.utf8) + [0] + Array(subject.utf8)
    guard let code = KeyedHash.code(message, key: secret) else { return nil }
    return "_" + HexText.text(code.prefix(codeBytes))
  }
}

extension AccountFile {
  /// A key of 32 bytes for some purpose of the server, always the same for the same file.
  ///
  /// Whoever learns one of them learns neither the server's secret nor another.
  public func derivedKey(for purpose: String) throws(AccountError) -> [UInt8] {
    // No container has an empty name, so that no user's record name comes from the same message.
    let message = [0, 0] + Array("key".utf8) + [0] + Array(purpose.utf8)
    guard let key = KeyedHash.code(message, key: secret) else {
      throw AccountError.noHash(path)
    }
    return key
  }
}

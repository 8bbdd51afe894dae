/// What a request that a server-to-server key signed brings along.
public struct RequestSignature: Hashable, Sendable {
  /// The header `X-Apple-CloudKit-Request-KeyID`.
  public var keyID: String
  /// The header `X-Apple-CloudKit-Request-ISO8601Date`.
  public var date: String
  /// The header `X-Apple-CloudKit-Request-SignatureV1`.
  public var signature: String
  /// The digest of the body's bytes as they were sent; nil when it could not be computed, which fails.
  public var bodyDigest: Digest256?
  /// Whether the body has no bytes.
  public var isBodyEmpty: Bool
  /// The request's target as it was sent, still encoded, with its query.
  public var target: String

  /// Describes a request whose body's digest is known.
  public init(
    keyID: String, date: String, signature: String, bodyDigest: Digest256?, isBodyEmpty: Bool,
    target: String
  ) {
    self.keyID = keyID
    self.date = date
    self.signature = signature
    self.bodyDigest = bodyDigest
    self.isBodyEmpty = isBodyEmpty
    self.target = target
  }

  /// Describes a request with the body `body`.
  public init(keyID: String, date: String, signature: String, body: [UInt8], target: String) {
    self.init(
      keyID: keyID, date: date, signature: signature, bodyDigest: Digest256(of: body),
      isBodyEmpty: body.isEmpty, target: target)
  }
}

extension RequestSignature {
  /// Whether the date is near enough to the server's clock.
  func isFresh(now: Int64) -> Bool {
    guard let date = RequestDate.milliseconds(date) else { return false }
    let age = Milliseconds.difference(now, date)
    return (-AccessLimits.signatureAgeMax...AccessLimits.signatureAgeMax).contains(age)
  }

  /// Whether `key` signed the request, in one of the ways in which clients do.
  func isSigned(by key: PublicKey) -> Bool {
    guard signature.utf8.count <= AccessLimits.signatureBytesMax,
      let bytes = Base64Text.bytes(signature.utf8, .standard)
    else { return false }
    return signedTexts.contains { key.verifies(bytes, of: Array($0.utf8)) }
  }

  /// What may have been signed: the target with its query or without, and for no body its digest or nothing.
  var signedTexts: [String] {
    guard let bodyDigest else { return [] }
    let hashes = [Base64Text.standardText(bodyDigest.bytes)] + (isBodyEmpty ? [""] : [])
    let path = target.prefix { $0 != "?" }
    let targets = path.utf8.count == target.utf8.count ? [target] : [target, String(path)]
    return targets.flatMap { target in hashes.map { "\(date):\($0):\(target)" } }
  }
}

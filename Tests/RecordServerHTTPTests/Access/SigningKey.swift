import COpenSSL

/// A P-256 key with both halves, as the program has it that signs requests.
///
/// `@unchecked Sendable`: the key is not changed after `init`, and each signature has a context of its own.
final class SigningKey: @unchecked Sendable {
  private let key: OpaquePointer

  init() throws {
    let context = try EVP_PKEY_CTX_new_from_name(nil, "EC", nil).unwrapped()
    defer { EVP_PKEY_CTX_free(context) }
    var made: OpaquePointer?
    _ = try
      (EVP_PKEY_keygen_init(context) == 1
      && EVP_PKEY_CTX_set_group_name(context, "P-256") == 1
      && EVP_PKEY_generate(context, &made) == 1 ? true : nil).unwrapped()
    key = try made.unwrapped()
  }

  deinit { EVP_PKEY_free(key) }

  /// The public half, as it is registered.
  func publicPEM() throws -> String {
    let memory = try BIO_new(BIO_s_mem()).unwrapped()
    defer { BIO_free(memory) }
    _ = try (PEM_write_bio_PUBKEY(memory, key) == 1 ? true : nil).unwrapped()
    var text = [UInt8](repeating: 0, count: 1024)
    let count = BIO_read(memory, &text, Int32(text.count))
    return String(decoding: text.prefix(Int(max(0, count))), as: UTF8.self)
  }

  /// The signature of a message, in DER.
  func signature(of message: [UInt8]) throws -> [UInt8] {
    let context = try EVP_MD_CTX_new().unwrapped()
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 128)
    var count = signature.count
    _ = try
      (EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
      && EVP_DigestSign(context, &signature, &count, message, message.count) == 1 ? true : nil)
      .unwrapped()
    return Array(signature.prefix(count))
  }

  /// The digest of a body.
  static func digest(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    return digest
  }
}

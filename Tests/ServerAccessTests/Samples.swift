import Foundation
import Synchronization

@testable import ServerAccess

/// A folder that goes with the test.
final class Folder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/access-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/accounts.sqlite" }

  func open(_ random: RandomBytes = .seeded(1)) throws(AccountError) -> AccountFile {
    // The real cost is tested once; here it would only take time.
    try AccountFile(at: file, random: random, passwordCost: PasswordCost(logN: 4))
  }
}

/// SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
struct Splitmix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

extension RandomBytes {
  /// The same bytes for the same seed.
  static func seeded(_ seed: UInt64) -> RandomBytes {
    let generator = Shared(Splitmix(state: seed))
    return RandomBytes { count in
      generator.value.withLock { generator in
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      }
    }
  }
}

/// A value that closures share.
final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }
}

extension ContainerPlace {
  static let notes = ContainerPlace(
    container: "iCloud.org.example.notes", environment: "production")
  static let notesDevelopment = ContainerPlace(
    container: "iCloud.org.example.notes", environment: "development")
  static let trips = ContainerPlace(
    container: "iCloud.org.example.trips", environment: "production")
}

/// 2026-11-22T01:30:00Z in milliseconds since 1970.
let now: Int64 = 1_795_311_000_000

/// A key, and what the `openssl` command signed with its private half.
enum SignedByOpenSSL {
  static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESc+o1UJwCOY/Rb2Acn/F8vHSVI4T
    QwU5i6kyxERRpjBG8f7bNgvsIaJTvly1n+uWZT6qqXZ0HUz8NsROE31PBg==
    -----END PUBLIC KEY-----

    """
  static let date = "2026-11-22T01:30:00Z"
  static let body = Array(#"{"records":[]}"#.utf8)
  static let target =
    "/database/1/org.example.notes/development/public/records/query?ckjsVersion=2.6.4"
  static let signature =
    "MEUCIQD+I/SEGpMD0kgR9mukkQ28/gFPZbVwDSsqpuCP5bMAFwIgJ7JWOkY/KRqxLyPBM6OYtVI3d5qTO5W/gak5UdV5p+U="

  /// Of an empty body, with the empty text in place of its digest.
  static let emptyTarget = "/database/1/org.example.notes/development/public/zones/list"
  static let emptySignature =
    "MEUCIDfHg0YHRrjUBnRo+R+45QlHtyT9gHpXpK+oD1aEaiTqAiEA0ErBR1XWfezsFgiZCyShtvTRD2KlJV075MY2T3/D+0k="

  static func request(
    keyID: String = "", date: String = date, signature: String = signature, body: [UInt8] = body,
    target: String = target
  ) -> RequestSignature {
    RequestSignature(keyID: keyID, date: date, signature: signature, body: body, target: target)
  }

  static let unsuitableKeys: [String: String] = [
    "is not on the curve P-256": """
    -----BEGIN PUBLIC KEY-----
    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEteE1EhCCLc8wiUb0Pe0WHAwLKlS5VEtk
    pfdqAJ0LBZHSqv/DE3YH5vOnMulEGb0dstC7BNswtIaArngXl1FRIfm2vEbjtZBk
    pDrFRvwYk3hpVmHKuhzq1e54O3rDo1oe
    -----END PUBLIC KEY-----
    """,
    "is no public key in PEM form": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    "is the private half, which nobody but its owner may see":
      "-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n",
    "is larger than any public key": String(repeating: "A", count: 8193),
  ]

  static let ed25519 = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEA2qjZRw0l8lI68fmvo9CI0rK0sRx0puGrV7tvmRnPg90=
    -----END PUBLIC KEY-----
    """
}

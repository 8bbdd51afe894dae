import RecordWire
import Testing

@testable import SyncCore

@Suite struct FileTests {
  private let abc = FileDigest(of: Array("abc".utf8))

  @Test func `the digest of parts is that of the whole, and so is its checksum`() {
    var maker = FileDigest.Maker()
    for part in ["", "a", "bc"] { maker.update(Array(part.utf8)) }
    #expect(maker.finish() == abc)
    #expect(abc.size == 3)
    // SHA-256 of "abc" as FIPS 180-2 gives it, in base64 behind a byte for its kind.
    #expect(abc.checksum == "Abp4Fr+PAc/qQUFA3l2uIiOwA2Gjlhd6nLQQ/2HyABWt")
    #expect(FileDigest(abc.bytes, size: 3) == abc)
    #expect(FileDigest([1, 2], size: 2) == nil)
  }

  @Test(
    arguments: [
      (RecordAsset(), nil),
      (RecordAsset(size: 3), nil),
      (RecordAsset(size: 4), "has 3 bytes in place of 4"),
      // Made by another rule, which we cannot follow.
      (RecordAsset(fileChecksum: "AQID", size: 3), nil),
      (RecordAsset(fileChecksum: "no base64!", size: 3), nil),
      (
        RecordAsset(fileChecksum: FileDigest(of: [1]).checksum, size: 3),
        "has another checksum than its record says"
      ),
    ] as [(RecordAsset, String?)])
  func `a file is held against what its record says of it`(asset: RecordAsset, problem: String?) {
    #expect(abc.problem(as: asset) == problem)
    #expect(abc.problem(as: abc.asset) == nil)
  }

  @Test(
    arguments: [
      (.quotaExceeded, 413, .quota), (.throttled, 429, .retry(afterSeconds: 7)),
      (.internalError, 500, .retry(afterSeconds: 7)), (.badRequest, 413, .tooLarge),
      (.notFound, 404, .askAgain), (.accessDenied, 403, .askAgain),
      (.authenticationFailed, 401, .askAgain), (.badRequest, 410, .askAgain),
      (.badRequest, 400, .refuse),
      (ErrorCode(rawValue: "SOLAR_FLARE"), 418, .retry(afterSeconds: 7)),
    ] as [(ErrorCode, Int, FileConsequence)])
  func `what an address for a file says is about that file only`(
    code: ErrorCode, status: Int, consequence: FileConsequence
  ) {
    let failure = RequestFailure(code, retryAfter: 7)
    #expect(FileConsequence(failure, status: status) == consequence)
  }

  @Test func `waits grow up to a limit, and are no shorter than the server asks`() {
    #expect(FileLimits.wait(attempts: 0, retryAfterSeconds: nil) == 1_000)
    #expect(FileLimits.wait(attempts: 3, retryAfterSeconds: nil) == 8_000)
    #expect(FileLimits.wait(attempts: 3, retryAfterSeconds: 60) == 60_000)
    #expect(FileLimits.wait(attempts: .max, retryAfterSeconds: -1) == FileLimits.longestWait)
    for seconds in [Int64.max, Int64.max / 2_000] {
      #expect(
        FileLimits.wait(attempts: 0, retryAfterSeconds: seconds)
          == Backoff.serverLongestMilliseconds)
    }
  }
}

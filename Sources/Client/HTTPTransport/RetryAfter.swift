import CCurl
import Glibc

extension HTTPClientResponse {
  /// How many seconds the server asks to wait; nil where it does not.
  ///
  /// It says how many, or names a moment (RFC 9110, section 10.2.3), which counts from our clock.
  public var retryAfter: Int64? {
    guard let text = headers["Retry-After"] else { return nil }
    if let seconds = Int64(text) { return max(0, seconds) }
    let moment = curl_getdate(text, nil)
    return moment < 0 ? nil : max(0, Int64(moment) - Int64(time(nil)))
  }
}

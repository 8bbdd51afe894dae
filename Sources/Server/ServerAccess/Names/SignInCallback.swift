/// How a web page or a program gets the web token after a sign-in.
public enum SignInCallback: Hashable, Sendable {
  /// The sign-in page posts a message to the page that opened it.
  case postMessage
  /// The browser goes on to this address, with the token in its query.
  case address(String)

  /// Where the browser goes on to with `token`; nil where the page posts a message.
  public func destination(with token: String) -> String? {
    guard case .address(let address) = self else { return nil }
    let separator =
      address.contains("?") ? (address.hasSuffix("?") || address.hasSuffix("&") ? "" : "&") : "?"
    return "\(address)\(separator)ckWebAuthToken=\(token)"
  }

  func checked() throws(AccountError) -> SignInCallback {
    guard case .address(let text) = self else { return self }
    guard text.utf8.count <= AccessLimits.callbackBytesMax, let address = WebAddress(text),
      address.scheme == "https" || address.isLoopback
    else {
      throw AccountError(
        .invalidCallback, "callback \"\(text.shownInErrors)\"", "is no address to sign in to",
        fix:
          "write an address that begins with https://, or with http:// and a host of this machine"
      )
    }
    return self
  }
}

extension SignInCallback {
  /// How the file keeps it: null for a message.
  var stored: String? {
    guard case .address(let address) = self else { return nil }
    return address
  }

  init(stored: String?) { self = stored.map { .address($0) } ?? .postMessage }
}

/// Which web pages may use an API token from a browser.
///
/// Programs that are no browsers send no origin, and no list keeps them out.
public enum AllowedOrigins: Hashable, Sendable {
  /// Pages of any site.
  case any
  /// Pages of these origins, such as `https://notes.example.org`, in the form browsers send.
  case only([String])

  /// Whether a request with this `Origin` header is let through; nil stands for none.
  public func allows(_ origin: String?) -> Bool {
    switch self {
    case .any: true
    case .only(let origins): origin.map { origins.contains($0.lowercased()) } ?? true
    }
  }

  /// The same list in the form browsers send; throws for a text that is no origin.
  func checked() throws(AccountError) -> AllowedOrigins {
    guard case .only(let origins) = self else { return self }
    guard origins.count <= AccessLimits.originsMax else {
      throw AccountError(
        .tooMany, "origins", "are more than \(AccessLimits.originsMax)",
        fix: "allow any origin, or make a second token")
    }
    var checked: [String] = []
    for origin in origins { checked.append(try Self.checked(origin)) }
    return .only(checked)
  }

  private static func checked(_ origin: String) throws(AccountError) -> String {
    guard let address = WebAddress(origin), address.rest.isEmpty || address.rest == "/",
      origin.utf8.count <= AccessLimits.nameBytesMax
    else {
      throw AccountError(
        .invalidOrigin, "origin \"\(origin.shownInErrors)\"", "is none",
        fix: "write scheme, host and port as in https://notes.example.org")
    }
    // Browsers leave out the port that goes without saying: https://html.spec.whatwg.org/#origin
    let usualPort = address.scheme == "https" ? "443" : "80"
    let authority = address.port == usualPort ? address.host : address.authority
    return "\(address.scheme)://\(authority)"
  }
}

extension AllowedOrigins {
  /// How the file keeps it: null for any, else one origin a line.
  var stored: String? {
    guard case .only(let origins) = self else { return nil }
    return origins.joined(separator: "\n")
  }

  init(stored: String?) {
    self = stored.map { .only($0.split(separator: "\n").map(String.init)) } ?? .any
  }
}

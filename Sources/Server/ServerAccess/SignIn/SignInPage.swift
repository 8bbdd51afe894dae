/// What a page needs to know on which users sign in for an API token.
public struct SignInPage: Hashable, Sendable {
  /// The public name of the API token, which the page's address has in it.
  public var apiTokenID: String
  /// What the token's maker called it: whom the user lets in.
  public var name: String
  /// Where they sign in to.
  public var place: ContainerPlace
  /// How the page hands over the web token.
  public var callback: SignInCallback
  /// Which pages the web token may be posted to.
  public var origins: AllowedOrigins

  init(_ token: APIToken) {
    apiTokenID = token.id
    name = token.name
    place = token.place
    callback = token.callback
    origins = token.origins
  }

  /// The origin that the page names when it posts the token, for an opener that says it is `opener`; nil when
  /// the token must not be posted there.
  ///
  /// `*` would hand it to whatever page is in the opener's window by then, so it is never the answer.
  public func messageTarget(opener: String?) -> String? {
    guard callback == .postMessage, let opener, let address = WebAddress(opener),
      address.rest.isEmpty, origins.allows(opener)
    else { return nil }
    return opener.lowercased()
  }
}

/// What somebody typed into a sign-in page.
public struct SignInAttempt: Hashable, Sendable {
  /// The public name of the API token, from the page's address.
  public var apiTokenID: String
  /// The user's name.
  public var name: String
  /// The password.
  public var password: String
  /// Whether the user wants to stay signed in.
  public var keepSignedIn: Bool
  /// The address that the request comes from, as text.
  public var address: String

  /// Describes an attempt.
  public init(
    apiTokenID: String, name: String, password: String, keepSignedIn: Bool, address: String
  ) {
    self.apiTokenID = apiTokenID
    self.name = name
    self.password = password
    self.keepSignedIn = keepSignedIn
    self.address = address
  }
}

/// Why a sign-in did not succeed.
public enum SignInFailure: Error, Hashable, Sendable {
  /// Name and password do not go together: one answer for unknown names, wrong passwords and users that
  /// are shut out.
  case refused
  /// The page's address names no API token.
  case unknownPage
  /// There were too many attempts; another may be made after so many seconds.
  case tooMany(retryAfter: Int)
  /// Users cannot be looked up; the operator's log gets the error.
  case unavailable(AccountError)

  /// What the page shows.
  public var message: String {
    switch self {
    case .refused: "The name or the password is wrong."
    case .unknownPage:
      "This sign-in page does not exist any more. Go back to the app and try again."
    case .tooMany(let seconds): "Too many attempts. Try again in \(seconds) s."
    case .unavailable: "Signing in is not possible now. Try again later."
    }
  }
}

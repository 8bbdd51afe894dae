/// Somebody who can sign in.
public struct User: Hashable, Sendable {
  /// Who it is, for ever.
  public var id: String
  /// What they sign in with; upper and lower case of ASCII letters are the same.
  public var name: String
  /// The given name; empty when it is not known.
  public var givenName: String
  /// The family name; empty when it is not known.
  public var familyName: String
  /// The e-mail address by which others find them; empty when there is none.
  public var email: String
  /// Whether they can sign in with a password; others use tokens that were made for them.
  public var hasPassword: Bool
  /// Whether they are shut out.
  public var isDisabled: Bool
  /// When they were added, in milliseconds since 1970.
  public var created: Int64
}

/// Somebody to be added.
public struct NewUser: Hashable, Sendable {
  /// What they sign in with.
  public var name: String
  /// The given name; empty when it is not known.
  public var givenName: String
  /// The family name; empty when it is not known.
  public var familyName: String
  /// The e-mail address by which others find them; empty when there is none.
  public var email: String
  /// The password; nil for a user who cannot sign in with one.
  public var password: String?

  /// Describes somebody.
  public init(
    name: String, givenName: String = "", familyName: String = "", email: String = "",
    password: String?
  ) {
    self.name = name
    self.givenName = givenName
    self.familyName = familyName
    self.email = email
    self.password = password
  }

  func check() throws(AccountError) {
    try NameRule.signInName.check(name)
    for text in [givenName, familyName, email] { try NameRule.personal.check(text) }
  }
}

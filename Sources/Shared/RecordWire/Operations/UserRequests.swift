/// What a user is looked up by.
public enum UserLookup: Hashable, Sendable {
  /// An address of electronic mail.
  case emailAddress(String)
  /// A telephone number.
  case phoneNumber(String)
  /// The name of the user's record.
  case userRecordName(String)
}

/// The parts of a person's name.
public struct NameComponents: Hashable, Sendable {
  /// What stands before the name, such as a title.
  public var namePrefix: String?
  /// The given name.
  public var givenName: String?
  /// The name between given name and family name.
  public var middleName: String?
  /// The family name.
  public var familyName: String?
  /// What stands behind the name, such as a rank.
  public var nameSuffix: String?
  /// What friends say.
  public var nickname: String?

  /// Makes a name of two parts; the others may be set afterwards.
  public init(givenName: String? = nil, familyName: String? = nil) {
    self.givenName = givenName
    self.familyName = familyName
  }
}

/// A user, as far as others may know: the answer to `users/caller` and `users/current`, and an entry
/// of that to `users/discover`.
public struct UserIdentity: Hashable, Sendable {
  /// The name of the user's record.
  public var userRecordName: String?
  /// The name, in parts.
  public var nameComponents: NameComponents?
  /// What the user was found by.
  public var lookupInfo: UserLookup?
  /// The given name, as `users/current` has it.
  public var firstName: String?
  /// The family name, as `users/current` has it.
  public var lastName: String?
  /// The address, as `users/lookup/email` has it.
  public var emailAddress: String?

  /// Makes a user of a record name; the others may be set afterwards.
  public init(userRecordName: String? = nil) { self.userRecordName = userRecordName }
}

/// Asks for users: the request of `users/discover`.
public struct UserDiscoverRequest: Hashable, Sendable {
  /// What they are looked up by.
  public var lookups: [UserLookup]

  /// Makes a request.
  public init(lookups: [UserLookup]) { self.lookups = lookups }
}

/// The users that were found: the answer to `users/discover`.
public struct UsersResponse: Hashable, Sendable {
  /// One entry of the list: a user, or why there is none.
  public enum Entry: Hashable, Sendable {
    /// The user.
    case user(UserIdentity)
    /// Why there is none.
    case failure(ItemFailure)
  }

  /// The users.
  public var users: [Entry]

  /// Makes an answer.
  public init(users: [Entry]) { self.users = users }
}

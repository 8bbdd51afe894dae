public import JSONStream

extension UserLookup {
  init(reading json: inout JSONReader) throws {
    var lookup: UserLookup?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "emailAddress":
        lookup = try json.text("emailAddress").map { .emailAddress($0) } ?? lookup
      case "phoneNumber":
        lookup = try json.text("phoneNumber").map { .phoneNumber($0) } ?? lookup
      case "userRecordName":
        lookup = try json.text("userRecordName").map { .userRecordName($0) } ?? lookup
      default: break
      }
    }
    guard let lookup else {
      throw WireError(
        .missingKey, expected: "an emailAddress, a phoneNumber or a userRecordName",
        found: "none of them")
    }
    self = lookup
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .emailAddress(let text): json.member("emailAddress", text)
      case .phoneNumber(let text): json.member("phoneNumber", text)
      case .userRecordName(let text): json.member("userRecordName", text)
      }
    }
  }
}

extension NameComponents {
  init(reading json: inout JSONReader) throws {
    self.init()
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "namePrefix": namePrefix = try json.text("namePrefix")
      case "givenName": givenName = try json.text("givenName")
      case "middleName": middleName = try json.text("middleName")
      case "familyName": familyName = try json.text("familyName")
      case "nameSuffix": nameSuffix = try json.text("nameSuffix")
      case "nickname": nickname = try json.text("nickname")
      default: break
      }
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("namePrefix", ifPresent: namePrefix)
      json.member("givenName", ifPresent: givenName)
      json.member("middleName", ifPresent: middleName)
      json.member("familyName", ifPresent: familyName)
      json.member("nameSuffix", ifPresent: nameSuffix)
      json.member("nickname", ifPresent: nickname)
    }
  }
}

/// A user or a failure while its keys are read.
private struct UserDraft {
  var user = UserIdentity()
  var failure = FailureDraft()

  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "userRecordName": user.userRecordName = try json.name("userRecordName", limits)
      case "nameComponents":
        user.nameComponents = try json.optional("nameComponents") { reader in
          try NameComponents(reading: &reader)
        }
      case "lookupInfo":
        user.lookupInfo = try json.optional("lookupInfo") { reader in
          try UserLookup(reading: &reader)
        }
      case "firstName": user.firstName = try json.text("firstName")
      case "lastName": user.lastName = try json.text("lastName")
      case "emailAddress": user.emailAddress = try json.text("emailAddress")
      default: _ = try failure.read(key, &json, limits)
      }
    }
  }
}

extension UserIdentity: WireResponse {
  /// Reads the body of an answer to `users/caller` or `users/current`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    self = try UserDraft(reading: &json, limits).user
    _ = try userRecordName.required("userRecordName")
  }

  /// Writes the body of an answer to `users/caller` or `users/current`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("userRecordName", ifPresent: userRecordName)
      if let nameComponents {
        json.key("nameComponents")
        nameComponents.write(to: &json)
      }
      if let lookupInfo {
        json.key("lookupInfo")
        lookupInfo.write(to: &json)
      }
      json.member("firstName", ifPresent: firstName)
      json.member("lastName", ifPresent: lastName)
      json.member("emailAddress", ifPresent: emailAddress)
    }
  }
}

extension UserDiscoverRequest: WireRequest {
  /// Reads the body of `users/discover`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var lookups: [UserLookup]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      guard key == "lookupInfos" else { continue }
      lookups = try json.list("lookupInfos", max: limits.itemsMax) { reader in
        try UserLookup(reading: &reader)
      }
    }
    self.init(lookups: try lookups.required("lookupInfos"))
  }

  /// Writes the body of `users/discover`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("lookupInfos")
      json.array { json in
        for lookup in lookups { lookup.write(to: &json) }
      }
    }
  }
}

extension UsersResponse: WireResponse {
  /// Reads the body of an answer to `users/discover`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var users: [Entry]?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      guard key == "users" else { continue }
      users = try json.list("users", max: limits.itemsMax) { reader in
        let draft = try UserDraft(reading: &reader, limits)
        guard let failure = draft.failure.failure else { return .user(draft.user) }
        return .failure(
          ItemFailure(draft.failure.subject(record: draft.user.userRecordName), failure))
      }
    }
    self.init(users: try users.required("users"))
  }

  /// Writes the body of an answer to `users/discover`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("users")
      json.array { json in
        for user in users {
          switch user {
          case .user(let user): user.write(to: &json)
          case .failure(let failure): failure.write(to: &json)
          }
        }
      }
    }
  }
}

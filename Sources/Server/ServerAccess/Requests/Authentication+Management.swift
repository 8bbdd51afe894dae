import SQLiteDriver

extension Authentication {
  /// Who asks for something about the schema of `container`; throws when they may not.
  ///
  /// `container` is nil for what is about all of them, such as their list.
  public func authenticateManagement(
    _ token: String?, container: String?, needs scope: ManagementScope, now: Int64
  ) throws(AccessFailure) -> ManagementCaller {
    let generation = try generation(now: now)
    guard let token, let digest = TokenKind.management.digest(token),
      let known = try lookUp(
        managementTokens, digest, generation, { try ManagementTokenRows.token($0, digest) }),
      now < known.expires
    else { throw .authenticationFailed }
    guard known.container == nil || known.container == container else {
      throw .accessDenied(.otherContainer)
    }
    guard known.scope.covers(scope) else { throw .accessDenied(.readOnly) }
    return ManagementCaller(tokenID: known.id, name: known.name, scope: known.scope)
  }
}

import Dispatch
import SQLiteDriver
import Synchronization

/// Signs users in with a name and a password.
///
/// Hashing a password takes a tenth of a second and 32 MiB on purpose, so it is done for one attempt at a
/// time, and off the threads that answer requests; few attempts may wait for it.
public final class SignIn: Sendable {
  private let accounts: AccountFile
  private let limiter: RateLimiter
  private let queue = DispatchQueue(label: "contrail.access.sign-in")
  private let waiting = Atomic<Int>(0)
  /// Stands for the password of users that do not exist, so that they cost the same.
  private let nobody: PasswordHash

  /// Works with `accounts`; `limits` are the attempts that a name and an address have.
  public init(_ accounts: AccountFile, limits: RateLimits = .signIns) throws(AccountError) {
    self.accounts = accounts
    limiter = RateLimiter(limits)
    nobody = PasswordHash(
      salt: try accounts.random.bytes(PasswordHash.saltBytes),
      hash: try accounts.random.bytes(PasswordHash.hashBytes), logN: accounts.passwordCost.logN)
  }

  /// What the page of the API token with that public name needs to know; nil when there is no such token.
  public func page(apiTokenID id: String) throws(SignInFailure) -> SignInPage? {
    do { return try accounts.apiToken(id: id).map(SignInPage.init) } catch {
      throw .unavailable(error)
    }
  }

  /// The web token for somebody who knows the password.
  public func signIn(
    _ attempt: SignInAttempt, now: Int64
  ) async throws(SignInFailure) -> IssuedToken {
    // The address first: anybody can make up names, and what is refused for an address takes no room for them.
    let keys = [RateKey.address(attempt.address), RateKey.name(attempt.name)]
    if case .wait(let seconds) = limiter.admit(keys, now: now) {
      throw .tooMany(retryAfter: seconds)
    }
    guard waiting.add(1, ordering: .relaxed).newValue <= AccessLimits.signInsWaitingMax else {
      waiting.subtract(1, ordering: .relaxed)
      throw .tooMany(retryAfter: 1)
    }
    let result = await withCheckedContinuation { continuation in
      queue.async {
        let result = self.judge(attempt, now: now)
        self.waiting.subtract(1, ordering: .relaxed)
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  private func judge(
    _ attempt: SignInAttempt, now: Int64
  ) -> Result<IssuedToken, SignInFailure> {
    do throws(AccountError) {
      guard let page = try accounts.apiToken(id: attempt.apiTokenID) else {
        return .failure(.unknownPage)
      }
      guard let user = try user(attempt) else { return .failure(.refused) }
      return .success(try issue(to: user, page.place, attempt.keepSignedIn, now))
    } catch {
      // The user was shut out, removed, or has another password since the hash was compared.
      return .failure(error.code == .unknown ? .refused : .unavailable(error))
    }
  }

  /// A user, with the hash that was compared.
  private struct Checked {
    var user: User
    var hash: PasswordHash
  }

  /// The user who knows the password; the work is the same whether there is one or not.
  private func user(_ attempt: SignInAttempt) throws(AccountError) -> Checked? {
    let isPossible =
      attempt.name.utf8.count <= AccessLimits.nameBytesMax
      && attempt.password.utf8.count <= AccessLimits.passwordBytesMax
    let name = isPossible ? attempt.name : ""
    let known: (User, PasswordHash?)? = try accounts.read { connection in
      guard let user = try UserRows.user(connection, named: name) else { return nil }
      return (user, try UserRows.password(connection, user.id))
    }
    let matches = (known?.1 ?? nobody).matches(isPossible ? attempt.password : "")
    guard matches, let (user, hash) = known, let hash, !user.isDisabled else { return nil }
    return Checked(user: user, hash: hash)
  }

  private func issue(
    to checked: Checked, _ place: ContainerPlace, _ keepSignedIn: Bool, _ now: Int64
  ) throws(AccountError) -> IssuedToken {
    let life = keepSignedIn ? AccessLimits.keptSessionLife : AccessLimits.sessionLife
    let expires = Milliseconds.sum(now, life)
    let (issued, digest) = try accounts.issue(.web, expires: expires)
    let session = WebSession(
      id: issued.id, user: checked.user.id, place: place, created: now, expires: expires, life: life
    )
    try accounts.write(endsRights: false) { connection in
      // Looked at again in the transaction: a change of the password ends what was begun with the old one.
      let user = try UserRows.user(connection, named: checked.user.name)
      guard user == checked.user,
        try UserRows.password(connection, checked.user.id) == checked.hash
      else { throw AccountError.unknown("user", checked.user.name, list: "recordd user list") }
      try SessionRows.insert(connection, session, digest, now: now)
    }
    return issued
  }
}

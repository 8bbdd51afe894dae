import CommandKit
import FoundationEssentials
import ServerAccess

/// What a new server makes and says once.
struct FirstStart {
  private let accounts: AccountFile
  private let console: Console

  init(_ accounts: AccountFile, _ console: Console) {
    self.accounts = accounts
    self.console = console
  }

  /// Makes a user, and tokens for each container, and prints them.
  func introduce(_ containers: [String], _ url: String) throws {
    let now = Int64(Date.now.timeIntervalSince1970 * 1000)
    let password = NewPassword.madeUp()
    _ = try accounts.addUser(NewUser(name: "owner", password: password), now: now)
    var lines = ["recordd serves \(url)", "", "These are shown once; keep them:"]
    lines += ["  user              owner", "  password          \(password)"]
    for container in containers {
      lines.append("  container         \(container)")
      for environment in ["development", "production"] {
        let token = try accounts.addAPIToken(
          NewAPIToken(
            name: "first", place: ContainerPlace(container: container, environment: environment)),
          now: now)
        lines.append("  API token         \(token.text)  \(environment)")
      }
      let management = try accounts.addManagementToken(
        name: "first", container: container, scope: .write, now: now)
      lines.append("  management token  \(management.text)")
    }
    console.writeText(lines.joined(separator: "\n") + "\n\n")
  }
}

import HTTPTransport
import ServerAccess
import Testing

@testable import RecordServerHTTP

/// Schemas that are managed over HTTP.
@Suite struct ManagementTests {
  private let root = "/management/1/iCloud.test/schema"

  private func authorized(_ token: String) -> HTTPClientHeaders {
    ["Authorization": "Bearer \(token)"]
  }

  @Test func `what development has is promoted, and production takes such records then`()
    async throws
  {
    let world = try SiteWorld()
    let record =
      #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"a","recordType":"Note","#
      + #""fields":{"text":{"value":"hi"}}}}]}"#
    _ = try await world.ask("records/modify", record)
    let place = ContainerPlace(container: SiteWorld.container, environment: "production")
    let now = world.clock.milliseconds
    let api = try world.accounts.addAPIToken(NewAPIToken(name: "p", place: place), now: now).text
    let web = try world.accounts.addWebToken(userNamed: "ann", in: place, life: 1000, now: now).text
    let production =
      "/database/1/iCloud.test/production/private/records/modify?ckAPIToken=\(api)&ckWebAuthToken=\(web)"
    let refused = try await world.send(.post, production, record)
    #expect(refused.values(of: "reason") == ["Cannot create new type Note in production schema"])
    let promoted = try await world.send(
      .post, "\(root)/promote", "{}", authorized(world.managementToken))
    #expect(promoted.status == 200)
    #expect(promoted.text.contains(#""changed":true"#))
    let again = try await world.send(
      .post, "\(root)/promote", "{}", authorized(world.managementToken))
    #expect(again.text.contains(#""changed":false"#))
    let taken = try await world.send(.post, production, record)
    #expect(taken.values(of: "recordType") == ["Note"])
    let audit = try await world.send(.get, "\(root)/audit", "", authorized(world.managementToken))
    #expect(audit.values(of: "act") == ["promoted"])
    await world.end()
  }

  @Test func `a reset empties development of its records`() async throws {
    let world = try SiteWorld()
    _ = try await world.ask(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordName":"a","recordType":"Note"}}]}"#
    )
    let reset = try await world.send(
      .post, "\(root)/reset", #"{"confirm":"iCloud.test"}"#, authorized(world.managementToken))
    #expect(reset.status == 200)
    let found = try await world.ask("records/lookup", #"{"records":[{"recordName":"a"}]}"#)
    #expect(found.values(of: "serverErrorCode") == ["NOT_FOUND"])
    await world.end()
  }

  @Test func `without a management token, or with one that only reads, nothing is changed`()
    async throws
  {
    let world = try SiteWorld()
    let reading = try world.accounts.addManagementToken(
      name: "r", container: SiteWorld.container, scope: .read, now: world.clock.milliseconds
    ).text
    let none = try await world.send(.post, "\(root)/promote", "{}")
    #expect(none.status == 401)
    let apiToken = try await world.send(
      .post, "\(root)/promote", "{}", authorized(world.apiToken))
    #expect(apiToken.status == 401)
    let denied = try await world.send(.post, "\(root)/promote", "{}", authorized(reading))
    #expect(denied.status == 403)
    let exported = try await world.send(
      .get, "\(root)/export?environment=production", "", authorized(reading))
    #expect(exported.status == 200)
    let other = try await world.send(
      .get, "/management/1/iCloud.other/schema/audit", "", authorized(world.managementToken))
    #expect(other.status == 403)
    await world.end()
  }
}

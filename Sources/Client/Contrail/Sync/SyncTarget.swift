public import DataModel
public import Foundation
import RecordWire
public import SyncClient

/// Where a store is mirrored to: a container of a record server, and how to get there.
///
/// ```swift
/// ModelConfiguration(
///   url: file, sync: .recordServer("https://records.example.org", container: "org.example.flightlog"))
/// ```
///
/// The user's private database is what a store is mirrored to. Nothing is asked of the server before
/// `ModelContainer.syncEngine()` and its `sync()` or `start()`.
public struct SyncTarget: Hashable, Sendable {
  /// What of a container is meant.
  public enum Environment: String, Hashable, Sendable, CaseIterable {
    /// What the schema of a record is grows with each new field.
    case development
    /// What was not promoted waits on the device.
    case production
  }

  /// The server's address.
  public var server: String
  /// The container's name.
  public var container: String
  /// The container's environment.
  public var environment: Environment
  /// The zone; nil for the profile's own.
  public var zone: String?
  /// How objects become records.
  public var profile: MappingProfile
  /// Who the program and the user are.
  public var credentials: SyncCredentials
  /// A file with the certificates that are trusted in place of the system's, in PEM; nil for the system's.
  public var certificates: URL?
  /// Whether tokens may go to another machine over plain HTTP.
  public var allowsPlainHTTP: Bool

  /// A container of a record server, such as `recordd` is.
  ///
  /// - Parameters:
  ///   - server: The server's address: `https://host`, or `http://127.0.0.1:8080` on this machine.
  ///   - container: The container's name.
  ///   - environment: What of the container is meant.
  ///   - zone: The zone; nil for the profile's own. Each store needs one of its own.
  ///   - profile: How objects become records: `native`, or `coreData` for a container that an app which
  ///     mirrors Core Data or SwiftData fills already.
  ///   - credentials: Who the program and the user are; they are read when an engine is made.
  ///   - certificates: A file with the certificates to trust in place of the system's, in PEM.
  ///   - allowsPlainHTTP: Whether tokens may go to another machine over plain HTTP.
  /// - Returns: What a configuration takes as `sync`.
  public static func recordServer(
    _ server: String, container: String, environment: Environment = .production,
    zone: String? = nil, profile: MappingProfile = .native,
    credentials: SyncCredentials = .environment, trusting certificates: URL? = nil,
    allowsPlainHTTP: Bool = false
  ) -> SyncTarget {
    SyncTarget(
      server: server, container: container, environment: environment, zone: zone,
      profile: profile, credentials: credentials, certificates: certificates,
      allowsPlainHTTP: allowsPlainHTTP)
  }
}

extension SyncTarget {
  /// What an engine is told of it.
  var configuration: SyncConfiguration {
    var configuration = SyncConfiguration(
      server: server, container: container, environment: environment.rawValue, profile: profile)
    if let zone { configuration.zone.name = zone }
    return configuration
  }

  /// Whether records of both would be in one place.
  func isSamePlace(as other: SyncTarget) -> Bool {
    let (one, another) = (configuration, other.configuration)
    return one.server == another.server && one.container == another.container
      && one.environment == another.environment && one.zone == another.zone
  }

  /// The server's address, if tokens may go there.
  func address() throws(SyncError) -> ServerAddress {
    do throws(ServerAddress.Problem) {
      return try ServerAddress(reading: server, allowsPlainHTTP: allowsPlainHTTP)
    } catch {
      throw SyncError(.badAddress, "the sync target", error.words(server), fix: error.fix)
    }
  }

  /// What carries requests there.
  func transport(
    _ configuration: SyncConfiguration, _ credentials: SyncCredentials
  ) throws -> any RecordTransport {
    try HTTPRecordTransport(
      configuration, at: address(), tokens: credentials.tokens(), trusting: certificates?.path)
  }
}

extension ServerAddress.Problem {
  /// What to do about it in code.
  fileprivate var fix: String {
    switch self {
    case .notAnAddress, .surplus: "write it as https://host or https://host:port"
    case .plainHTTP: "use https://, or say allowsPlainHTTP: true where you trust the network"
    }
  }
}

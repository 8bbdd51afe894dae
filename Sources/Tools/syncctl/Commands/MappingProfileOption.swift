import CommandKit
import DataModel
import ObjectStore
import SyncClient

extension Command.Option {
  /// How entities become record types.
  static let mappingProfile = value(
    "profile", "PROFILE", choices: MappingProfile.allCases.map(\.rawValue),
    "how entities become record types; that of a store's sync, or coreData, unless given")
}

extension Invocation {
  /// The chosen mapping; when none is, the one that a store among `paths` is synced with, else that of
  /// Core Data's mirroring.
  func mappingProfile(for paths: [String] = []) throws -> MappingProfile {
    guard let name = value("profile") else {
      return try paths.lazy.compactMap(StoreFiles.syncProfile).first ?? .coreData
    }
    guard let profile = MappingProfile(rawValue: name) else {
      throw UsageError("there is no profile \"\(name)\"", fix: "native or coreData")
    }
    return profile
  }
}

extension StoreFiles {
  /// How the objects of the store at `path` become records; nil for what is no store that is synced.
  static func syncProfile(_ path: String) throws -> MappingProfile? {
    guard try isStore(path) else { return nil }
    do {
      return try SyncConfiguration(of: open(path)).profile
    } catch let error as SyncError where error.code == .notSetUp {
      return nil
    }
  }
}

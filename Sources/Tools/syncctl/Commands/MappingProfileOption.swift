import CommandKit
import DataModel

extension Command.Option {
  /// How entities become record types.
  static let mappingProfile = value(
    "profile", "PROFILE", choices: MappingProfile.allCases.map(\.rawValue),
    "how entities become record types; coreData unless given")
}

extension Invocation {
  /// The chosen mapping; that of Core Data's mirroring when none is.
  func mappingProfile() throws -> MappingProfile {
    guard let name = value("profile") else { return .coreData }
    guard let profile = MappingProfile(rawValue: name) else {
      throw UsageError("there is no profile \"\(name)\"", fix: "native or coreData")
    }
    return profile
  }
}

// swift-tools-version: 6.2
import PackageDescription

// One row per target. The folders are the architecture (see ARCHITECTURE.md): imports point down,
// and `Tests/ArchitectureTests` holds the same table against the sources.

let package = Package(
  name: "Contrail",
  products: [
    .executable(name: "syncctl", targets: ["syncctl"])
  ],
  targets: [
    // Shared: values and pure functions, used by client, server and tools.
    .target(name: "DataModel", path: "Sources/Shared/DataModel"),
    .target(
      name: "JSONStream", path: "Sources/Shared/JSONStream",
      swiftSettings: [.enableExperimentalFeature("Lifetimes")]),
    .target(
      name: "SchemaFormats", dependencies: ["DataModel", "JSONStream"],
      path: "Sources/Shared/SchemaFormats"),
    .target(
      name: "SchemaLint", dependencies: ["DataModel", "JSONStream", "SchemaFormats"],
      path: "Sources/Shared/SchemaLint"),

    // Tools: what a person types.
    .target(name: "CommandKit", path: "Sources/Tools/CommandKit"),
    .executableTarget(
      name: "syncctl",
      dependencies: ["DataModel", "JSONStream", "SchemaFormats", "SchemaLint", "CommandKit"],
      path: "Sources/Tools/syncctl"),

    // Measures; see scripts/bench.
    .executableTarget(
      name: "bench", dependencies: ["DataModel", "JSONStream"], path: "Tests/Benchmarks"),

    .testTarget(name: "DataModelTests", dependencies: ["DataModel"]),
    .testTarget(name: "JSONStreamTests", dependencies: ["JSONStream"]),
  ]
)

/// Parsers under libFuzzer, which `scripts/fuzz` alone builds: they have no `main` of their own.
let fuzzTargets: [Target] = [
  .executableTarget(name: "fuzz-json", dependencies: ["JSONStream"], path: "Tests/Fuzz/json")
]
if Context.environment["CONTRAIL_FUZZ"] != nil { package.targets += fuzzTargets }

/// The same strict settings for every target. `CONTRAIL_STRICT` is set by the scripts and by CI: a
/// newer compiler's warnings must not stop someone who only builds the package.
let strictSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ] + (Context.environment["CONTRAIL_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)])

for target in package.targets where target.type != .system && target.type != .plugin {
  target.swiftSettings = (target.swiftSettings ?? []) + strictSettings
}

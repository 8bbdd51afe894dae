// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

// One row per target. The folders are the architecture (see ARCHITECTURE.md): imports point down,
// and `Tests/ArchitectureTests` holds the same table against the sources.

/// The folder with the SwiftSyntax of the running toolchain, which `ModelMacros` is built against.
///
/// The manifest runs against that toolchain's `libPackageDescription`, so the list of the files that
/// are mapped into this process names it. Empty when it does not: then only the macros do not build.
let swiftSyntaxFolder: String = {
  // NB: read line by line. `String(contentsOfFile:)` stops at the first page of a file in /proc.
  guard let maps = fopen("/proc/self/maps", "r") else { return "" }
  defer { fclose(maps) }
  var bytes: UnsafeMutablePointer<CChar>?
  var capacity = 0
  defer { free(bytes) }
  while getline(&bytes, &capacity, maps) > 0, let bytes {
    let line = String(cString: bytes)
    // …/usr/lib/swift/pm/ManifestAPI/libPackageDescription.so stands beside …/usr/lib/swift/host.
    guard let library = line.range(of: "/pm/ManifestAPI/libPackageDescription"),
      let start = line.firstIndex(of: "/")
    else { continue }
    return line[start..<library.lowerBound] + "/host"
  }
  return ""
}()

/// What a target needs that imports SwiftSyntax.
///
/// The libraries link themselves: their modules say so.
let swiftSyntaxSettings: [SwiftSetting] = [
  .unsafeFlags(["-I", swiftSyntaxFolder])
]
let swiftSyntaxLinking: [LinkerSetting] = [
  .unsafeFlags(["-L", swiftSyntaxFolder, "-Xlinker", "-rpath", "-Xlinker", swiftSyntaxFolder])
]

/// How the daemon is linked for release: with Swift's own libraries in it.
///
/// It then needs no Swift on the machine that it runs on, and calls into these libraries, of which a request
/// makes many, take an eighth of its time less.
let daemonLinking: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))
]
let daemonSettings: [SwiftSetting] = [
  // What these libraries need in turn stands in their modules.
  .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "Contrail",
  products: [
    .library(name: "Contrail", targets: ["Contrail"]),
    .executable(name: "syncctl", targets: ["syncctl"]),
    .executable(name: "recordd", targets: ["recordd"]),
    .executable(name: "simulate", targets: ["simulate"]),
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
    .target(
      name: "RecordWire", dependencies: ["DataModel", "JSONStream"],
      path: "Sources/Shared/RecordWire"),

    .systemLibrary(name: "CSQLite", path: "Sources/System/CSQLite"),
    .target(
      name: "CLogWriter", dependencies: ["CSQLite"], path: "Sources/System/CLogWriter",
      publicHeadersPath: "."),
    .target(
      name: "SQLiteDriver", dependencies: ["CLogWriter", "CSQLite", "DataModel"],
      path: "Sources/Shared/SQLiteDriver"),

    // Client: what a program imports.
    .target(name: "PredicateSQL", dependencies: ["DataModel"], path: "Sources/Client/PredicateSQL"),
    .systemLibrary(name: "CSwiftRuntime", path: "Sources/System/CSwiftRuntime"),
    .target(
      name: "ObjectStore",
      dependencies: [
        "CSwiftRuntime", "DataModel", "JSONStream", "SchemaFormats", "SQLiteDriver",
        "PredicateSQL",
      ], path: "Sources/Client/ObjectStore"),
    .target(
      name: "MacroExpansions", dependencies: ["DataModel"], path: "Sources/Client/MacroExpansions",
      swiftSettings: swiftSyntaxSettings, linkerSettings: swiftSyntaxLinking),
    .macro(
      name: "ModelMacros", dependencies: ["MacroExpansions"], path: "Sources/Client/ModelMacros",
      swiftSettings: swiftSyntaxSettings, linkerSettings: swiftSyntaxLinking),
    .target(
      name: "Contrail",
      dependencies: [
        "DataModel", "ModelMacros", "ObjectStore", "PredicateSQL", "RecordWire", "SchemaFormats",
        "SchemaLint", "SyncClient", "SyncCore",
      ],
      path: "Sources/Client/Contrail"),
    .systemLibrary(name: "CCurl", path: "Sources/System/CCurl"),
    .target(
      name: "HTTPTransport", dependencies: ["CCurl"], path: "Sources/Client/HTTPTransport"),
    .target(
      name: "SyncCore", dependencies: ["DataModel", "RecordWire"], path: "Sources/Client/SyncCore"),
    .target(
      name: "SyncClient",
      dependencies: [
        "DataModel", "HTTPTransport", "JSONStream", "ObjectStore", "RecordWire", "SQLiteDriver",
        "SyncCore",
      ],
      path: "Sources/Client/SyncClient"),

    // Server: what serves records. The C libraries that only it needs stand here too.
    .systemLibrary(name: "CEpoll", path: "Sources/System/CEpoll"),
    .systemLibrary(name: "COpenSSL", path: "Sources/System/COpenSSL"),
    .systemLibrary(name: "CZlib", path: "Sources/System/CZlib"),
    .target(
      name: "HTTPServer", dependencies: ["CEpoll", "COpenSSL", "CZlib"],
      path: "Sources/Server/HTTPServer"),
    .target(
      name: "RecordServer",
      dependencies: ["DataModel", "JSONStream", "RecordWire", "SchemaFormats", "SchemaLint"],
      path: "Sources/Server/RecordServer"),
    .target(
      name: "RecordStorageSQLite",
      dependencies: ["DataModel", "RecordServer", "RecordWire", "SQLiteDriver"],
      path: "Sources/Server/RecordStorageSQLite"),
    .target(
      name: "ServerAccess", dependencies: ["COpenSSL", "SQLiteDriver"],
      path: "Sources/Server/ServerAccess"),
    .target(
      name: "AssetFiles", dependencies: ["COpenSSL", "RecordServer", "RecordWire"],
      path: "Sources/Server/AssetFiles"),

    .target(
      name: "RecordServerHTTP",
      dependencies: [
        "AssetFiles", "HTTPServer", "JSONStream", "RecordServer", "RecordWire", "ServerAccess",
      ],
      path: "Sources/Server/RecordServerHTTP"),

    // Tools: what a person types.
    .target(name: "CommandKit", path: "Sources/Tools/CommandKit"),
    .executableTarget(
      name: "syncctl",
      dependencies: [
        "DataModel", "JSONStream", "SchemaFormats", "SchemaLint", "SQLiteDriver", "PredicateSQL",
        "RecordWire", "ObjectStore", "HTTPTransport", "CommandKit", "SyncClient", "SyncCore",
      ],
      path: "Sources/Tools/syncctl"),
    .executableTarget(
      name: "recordd",
      dependencies: [
        "AssetFiles", "CommandKit", "HTTPServer", "JSONStream", "RecordServer", "RecordServerHTTP",
        "RecordStorageSQLite", "ServerAccess",
      ],
      path: "Sources/Tools/recordd", swiftSettings: daemonSettings, linkerSettings: daemonLinking),

    .executableTarget(
      name: "simulate",
      dependencies: [
        "CommandKit", "DataModel", "ObjectStore", "RecordServer", "RecordWire",
        "SchemaFormats", "SQLiteDriver", "SyncClient", "SyncCore",
      ],
      path: "Sources/Tools/simulate"),

    // Measures; see scripts/bench.
    .target(name: "StoreFloors", dependencies: ["CSQLite"], path: "Tests/Benchmarks/StoreFloors"),
    .target(
      name: "ServerFloors", dependencies: ["COpenSSL", "CSQLite"],
      path: "Tests/Benchmarks/ServerFloors", cSettings: [.define("_GNU_SOURCE")],
      linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CommandKit", "Contrail", "DataModel", "HTTPTransport", "JSONStream", "ObjectStore",
        "PredicateSQL", "RecordWire", "SQLiteDriver", "SchemaFormats", "ServerFloors",
        "StoreFloors", "SyncClient", "SyncCore",
      ],
      path: "Tests/Benchmarks", exclude: ["ServerFloors", "StoreFloors"]),

    // Tests: one target per module, and what several of them use.
    .target(
      name: "SchemaGenerator", dependencies: ["DataModel"], path: "Tests/Support/SchemaGenerator"),
    .target(name: "ChildPrograms", path: "Tests/Support/ChildPrograms"),
    .target(name: "FaultyVFS", dependencies: ["CSQLite"], path: "Tests/Support/FaultyVFS"),
    .executableTarget(
      name: "StoreChild", dependencies: ["DataModel", "ObjectStore"],
      path: "Tests/Support/StoreChild"),
    .executableTarget(
      name: "store-writer", dependencies: ["DataModel", "ObjectStore"],
      path: "Tests/Support/StoreWriter"),
    .executableTarget(
      name: "store-editor", dependencies: ["DataModel", "ObjectStore"],
      path: "Tests/Support/StoreEditor"),
    .executableTarget(
      name: "store-maker", dependencies: ["DataModel", "ObjectStore", "SQLiteDriver"],
      path: "Tests/Support/StoreMaker"),
    .executableTarget(
      name: "with-server", dependencies: ["HTTPServer", "RecordServer", "RecordWire"],
      path: "Tests/Support/WithServer"),
    .testTarget(name: "DataModelTests", dependencies: ["DataModel", "SchemaGenerator"]),
    .testTarget(name: "JSONStreamTests", dependencies: ["JSONStream"]),
    .testTarget(
      name: "SchemaFormatsTests",
      dependencies: ["DataModel", "JSONStream", "SchemaFormats", "SchemaGenerator"]),
    .testTarget(
      name: "SchemaLintTests",
      dependencies: [
        "ChildPrograms", "DataModel", "JSONStream", "SchemaFormats", "SchemaLint",
        "SchemaGenerator",
      ]),
    .testTarget(
      name: "RecordWireTests",
      dependencies: ["DataModel", "JSONStream", "RecordWire", "SchemaGenerator"]),
    // NB: not on ModelMacros: that would make the package manager build every module twice.
    .testTarget(
      name: "MacroExpansionsTests", dependencies: ["DataModel", "MacroExpansions"],
      swiftSettings: swiftSyntaxSettings, linkerSettings: swiftSyntaxLinking),
    .testTarget(
      name: "SQLiteDriverTests",
      dependencies: [
        "CLogWriter", "CSQLite", "ChildPrograms", "DataModel", "FaultyVFS", "SQLiteDriver",
      ]),
    .testTarget(
      name: "PredicateSQLTests", dependencies: ["DataModel", "PredicateSQL", "SQLiteDriver"]),
    .testTarget(
      name: "ObjectStoreTests",
      dependencies: [
        "ChildPrograms", "DataModel", "ObjectStore", "PredicateSQL", "SchemaGenerator",
        "SQLiteDriver", "StoreChild",
        "store-writer",
      ]),
    .testTarget(
      name: "RecordServerTests",
      dependencies: [
        "AssetFiles", "DataModel", "JSONStream", "RecordServer", "RecordStorageSQLite",
        "RecordWire", "SchemaFormats", "SchemaGenerator", "SchemaLint", "SQLiteDriver",
      ]),
    .testTarget(
      name: "SyncCoreTests", dependencies: ["DataModel", "RecordWire", "SyncCore"]),
    .testTarget(
      name: "SyncClientTests",
      dependencies: [
        "DataModel", "HTTPServer", "HTTPTransport", "JSONStream", "ObjectStore", "RecordServer",
        "RecordWire",
        "SchemaFormats", "SchemaGenerator", "SQLiteDriver", "SyncClient", "SyncCore",
      ]),
    .testTarget(
      name: "SimulationTests", dependencies: ["CommandKit", "SyncCore", "simulate"]),
    // It starts recordd and syncctl, which stand beside the tests.
    .testTarget(name: "MirrorTests", dependencies: ["ChildPrograms", "Contrail"]),
    .testTarget(
      name: "ContrailTests",
      dependencies: ["ChildPrograms", "Contrail", "DataModel", "ObjectStore", "SQLiteDriver"]),
    .testTarget(
      name: "ArchitectureTests",
      swiftSettings: swiftSyntaxSettings, linkerSettings: swiftSyntaxLinking),
    .testTarget(
      name: "HTTPServerTests",
      dependencies: ["ChildPrograms", "CEpoll", "COpenSSL", "CZlib", "HTTPServer"]),
    .testTarget(name: "ServerAccessTests", dependencies: ["ServerAccess", "SQLiteDriver"]),
    .testTarget(
      name: "HTTPTransportTests", dependencies: ["ChildPrograms", "HTTPServer", "HTTPTransport"]),
    .testTarget(
      name: "RecordServerHTTPTests",
      dependencies: [
        "AssetFiles", "COpenSSL", "HTTPServer", "HTTPTransport", "JSONStream", "RecordServer",
        "RecordServerHTTP", "RecordWire", "SchemaGenerator", "ServerAccess",
      ]),
    .testTarget(name: "CommandKitTests", dependencies: ["ChildPrograms", "CommandKit"]),
    .testTarget(
      name: "CommandsTests",
      dependencies: ["ChildPrograms", "store-maker", "syncctl", "with-server"],
      exclude: ["Transcripts"]),
  ]
)

/// Parsers under libFuzzer, which `scripts/fuzz` alone builds: they have no `main` of their own.
let fuzzTargets: [Target] = [
  .executableTarget(name: "fuzz-json", dependencies: ["JSONStream"], path: "Tests/Fuzz/json"),
  .executableTarget(
    name: "fuzz-xcdatamodel", dependencies: ["DataModel", "SchemaFormats"],
    path: "Tests/Fuzz/xcdatamodel"),
  .executableTarget(
    name: "fuzz-ckdb", dependencies: ["DataModel", "SchemaFormats"], path: "Tests/Fuzz/ckdb"),
  .executableTarget(
    name: "fuzz-contrail-json", dependencies: ["DataModel", "SchemaFormats"],
    path: "Tests/Fuzz/contrail-json"),
  .executableTarget(
    name: "fuzz-lint-config", dependencies: ["SchemaLint"], path: "Tests/Fuzz/lint-config"),
  .executableTarget(
    name: "fuzz-judgement", dependencies: ["DataModel", "SchemaFormats", "SchemaLint"],
    path: "Tests/Fuzz/judgement"),
  .executableTarget(
    name: "fuzz-wire-requests", dependencies: ["DataModel", "JSONStream", "RecordWire"],
    path: "Tests/Fuzz/wire-requests"),
  .executableTarget(
    name: "fuzz-store-xml", dependencies: ["ObjectStore"], path: "Tests/Fuzz/store-xml"),
  .executableTarget(
    name: "fuzz-store-binary", dependencies: ["ObjectStore"], path: "Tests/Fuzz/store-binary"),
  .executableTarget(name: "fuzz-http", dependencies: ["HTTPServer"], path: "Tests/Fuzz/http"),
]
if Context.environment["CONTRAIL_FUZZ"] != nil { package.targets += fuzzTargets }

/// What shows the thread sanitizer how Swift's `Mutex` works, in everything that runs under it.
if Context.environment["CONTRAIL_SANITIZER"] == "thread" {
  let mutex = "ThreadSanitizerMutex"
  for target in package.targets where target.type == .test || target.type == .executable {
    target.dependencies.append(.target(name: mutex))
  }
  package.targets.append(.target(name: mutex, path: "Tests/Support/\(mutex)"))
}

/// Building one test target, or a few, is much quicker than building all of them: name them, with commas.
if let names = Context.environment["CONTRAIL_TESTS"] {
  let wanted = Set(names.split(separator: ",").map(String.init))
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

/// The same strict settings for every target.
///
/// `CONTRAIL_STRICT` is set by the scripts and by CI: a newer compiler's warnings must not stop
/// someone who only builds the package.
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

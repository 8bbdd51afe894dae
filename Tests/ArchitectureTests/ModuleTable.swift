import Testing

/// One module of the package: where it lives and what it may import.
struct ModuleRow: Equatable {
  /// The module's name, which is also its folder's.
  var name: String
  /// The folder under `Sources` that it lives in.
  var layer: Layer
  /// The modules that its files may import.
  var imports: Set<String>
  /// Whether it computes from its arguments only: see `BannedUse.rows`.
  var isPure = false

  /// The module's folder, from the root of the repository.
  var path: String { "Sources/\(layer.rawValue)/\(name)" }
}

extension ModuleRow: CustomTestStringConvertible {
  var testDescription: String { name }
}

/// The folders under `Sources` that hold modules.
enum Layer: String, CaseIterable {
  case shared = "Shared"
  case client = "Client"
  case server = "Server"
  case tools = "Tools"
}

/// Who may import whom.
///
/// Imports point down, and client and server meet only in Shared. A new module is a row here, a row
/// in Package.swift and a folder; ARCHITECTURE.md says where the modules go that do not exist yet.
enum ModuleTable {
  static let rows: [ModuleRow] = [
    ModuleRow(
      name: "DataModel", layer: .shared,
      imports: ["FoundationEssentials"], isPure: true),
    ModuleRow(
      name: "JSONStream", layer: .shared,
      imports: [], isPure: true),
    ModuleRow(
      name: "SchemaFormats", layer: .shared,
      imports: ["DataModel", "FoundationEssentials", "JSONStream"], isPure: true),
    ModuleRow(
      name: "SchemaLint", layer: .shared,
      imports: ["DataModel", "FoundationEssentials", "JSONStream", "SchemaFormats"], isPure: true),
    ModuleRow(
      name: "RecordWire", layer: .shared,
      imports: ["DataModel", "FoundationEssentials", "JSONStream"], isPure: true),

    ModuleRow(
      name: "SQLiteDriver", layer: .shared,
      imports: [
        "CLogWriter", "CSQLite", "DataModel", "Foundation", "FoundationEssentials",
        "Synchronization",
      ]),

    ModuleRow(
      name: "PredicateSQL", layer: .client,
      imports: ["DataModel", "Foundation", "FoundationEssentials"], isPure: true),
    ModuleRow(
      name: "ObjectStore", layer: .client,
      imports: [
        "CSwiftRuntime", "DataModel", "Dispatch", "Foundation", "FoundationEssentials", "Glibc",
        "JSONStream", "Observation", "PredicateSQL", "SchemaFormats", "SQLiteDriver",
        "Synchronization",
      ]),
    ModuleRow(
      name: "MacroExpansions", layer: .client,
      // Rules from DataModel, syntax from the toolchain, never the run time.
      imports: [
        "DataModel", "SwiftDiagnostics", "SwiftIfConfig", "SwiftParser", "SwiftSyntax",
        "SwiftSyntaxBuilder", "SwiftSyntaxMacros",
      ], isPure: true),
    ModuleRow(
      name: "ModelMacros", layer: .client,
      // The compiler plugin's process, and nothing else.
      imports: [
        "Glibc", "MacroExpansions", "SwiftCompilerPluginMessageHandling", "SwiftSyntaxMacros",
      ]),
    ModuleRow(
      name: "Contrail", layer: .client,
      imports: [
        "DataModel", "Foundation", "ObjectStore", "Observation", "PredicateSQL", "RecordWire",
        "SchemaFormats", "SchemaLint", "Swift", "SyncClient", "SyncCore", "Synchronization",
      ]),
    ModuleRow(
      name: "HTTPTransport", layer: .client,
      // It knows nothing of records, so nothing of ours.
      imports: ["CCurl", "Glibc", "Synchronization"]),

    ModuleRow(
      name: "SyncCore", layer: .client,
      imports: ["DataModel", "RecordWire"], isPure: true),
    ModuleRow(
      name: "SyncClient", layer: .client,
      imports: [
        "DataModel", "Dispatch", "FoundationEssentials", "Glibc", "HTTPTransport", "JSONStream",
        "ObjectStore", "RecordWire", "SQLiteDriver", "SyncCore", "Synchronization",
      ]),

    ModuleRow(
      name: "HTTPServer", layer: .server,
      // It knows nothing of records, so nothing of ours.
      imports: ["CEpoll", "COpenSSL", "CZlib", "Glibc", "Synchronization"]),
    ModuleRow(
      name: "RecordServer", layer: .server,
      // Glibc for sines and cosines alone.
      imports: [
        "DataModel", "Glibc", "JSONStream", "RecordWire", "SchemaFormats", "SchemaLint", "Swift",
        "Synchronization",
      ], isPure: true),
    ModuleRow(
      name: "RecordStorageSQLite", layer: .server,
      imports: [
        "DataModel", "Dispatch", "RecordServer", "RecordWire", "SQLiteDriver", "Synchronization",
      ]),
    ModuleRow(
      name: "ServerAccess", layer: .server,
      // It knows nothing of HTTP and nothing of records: values in, values out.
      imports: ["COpenSSL", "Dispatch", "Glibc", "SQLiteDriver", "Synchronization"]),
    ModuleRow(
      name: "AssetFiles", layer: .server,
      imports: ["COpenSSL", "Dispatch", "Glibc", "RecordServer", "RecordWire", "Synchronization"]),

    ModuleRow(
      name: "RecordServerHTTP", layer: .server,
      // Where HTTP and records meet; it opens no file itself.
      imports: [
        "AssetFiles", "Glibc", "HTTPServer", "JSONStream", "RecordServer", "RecordWire",
        "ServerAccess", "Synchronization",
      ]),

    ModuleRow(
      name: "CommandKit", layer: .tools,
      // What every command needs, whatever it is about; so nothing of ours.
      imports: ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization"]),
    ModuleRow(
      name: "recordd", layer: .tools,
      imports: [
        "AssetFiles", "CommandKit", "Dispatch", "FoundationEssentials", "Glibc", "HTTPServer",
        "JSONStream", "RecordServer", "RecordServerHTTP", "RecordStorageSQLite", "ServerAccess",
        "Synchronization",
      ]),
    ModuleRow(
      name: "simulate", layer: .tools,
      // The one module where client and server meet.
      imports: [
        "CommandKit", "DataModel", "Dispatch", "FoundationEssentials", "Glibc", "ObjectStore",
        "RecordServer", "RecordWire", "SchemaFormats", "SQLiteDriver", "SyncClient", "SyncCore",
        "Synchronization",
      ]),
    ModuleRow(
      name: "syncctl", layer: .tools,
      imports: [
        "CommandKit", "DataModel", "Dispatch", "Foundation", "FoundationEssentials", "Glibc",
        "HTTPTransport", "JSONStream", "ObjectStore", "PredicateSQL", "RecordWire",
        "SchemaFormats", "SchemaLint", "SQLiteDriver", "SyncClient", "SyncCore", "Synchronization",
      ]),
  ]
}

public import DataModel

/// A record name that is checked when the program is compiled.
///
/// ```swift
/// let settings = #recordName("settings")       // a RecordName, not an optional
/// let broken = #recordName("_settings")        // error: … begins with an underscore
/// ```
///
/// The text has to be a literal without interpolation. For text that is known only when the program
/// runs, use `RecordName(_:)`, which returns nil for a name that the record service would refuse.
@freestanding(expression)
public macro recordName(_ text: String) -> RecordName =
  #externalMacro(module: "ModelMacros", type: "RecordNameMacro")

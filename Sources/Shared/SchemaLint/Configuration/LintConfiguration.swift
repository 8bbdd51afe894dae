package import SchemaFormats

/// What `contrail-lint.json`, beside a schema, says of how to lint it.
package struct LintConfiguration: Hashable, Sendable {
  /// A path as the configuration spells it: relative to the configuration's own directory.
  package struct Path: Hashable, Sendable {
    package var path: String
    /// Where the configuration says so.
    package var location: SourceLocation

    package init(_ path: String, location: SourceLocation) {
      self.path = path
      self.location = location
    }
  }

  /// The name that the file has.
  package static let fileName = "contrail-lint.json"

  /// Which rules and which mapping apply; nil leaves the choice to the caller.
  package var profile: LintProfile?
  /// Severities of single rules, for `Linter(profile:overrides:)`; nil switches a rule off.
  package var overrides: [String: Severity?]
  /// Promoted versions: files, or directories of files.
  package var promoted: [Path]
  /// Value transformers that are registered and reversible; nil when nothing is said of them.
  package var transformers: Set<String>?
  /// The baseline's file.
  package var baseline: Path?
  /// Findings that are accepted.
  package var waivers: [Waiver]

  package init(
    profile: LintProfile? = nil, overrides: [String: Severity?] = [:], promoted: [Path] = [],
    transformers: Set<String>? = nil, baseline: Path? = nil, waivers: [Waiver] = []
  ) {
    self.profile = profile
    self.overrides = overrides
    self.promoted = promoted
    self.transformers = transformers
    self.baseline = baseline
    self.waivers = waivers
  }
}

package import DataModel
package import SchemaFormats

/// One version of a schema as rules see it: its objects, where it has any, and its records.
package struct LintSubject: Sendable {
  /// The file that it was read from.
  package let document: SchemaDocument
  /// The entities; nil when the file holds record types only.
  package let schema: Schema?
  /// The record types: the file's own, or those that the objects map to.
  package let records: RecordSchema
  /// For record types and fields that objects map to, the part that they come from.
  package let mapping: RecordMapping?
  /// How objects become records here.
  package let profile: LintProfile
  /// The types of the fields that hold each attribute's values, asset twins left out.
  private let fieldTypes: [SchemaElement: Set<RecordSchema.FieldType>]

  package init(_ document: SchemaDocument, profile: LintProfile) {
    self.document = document
    self.profile = profile
    switch document.content {
    case .objects(let schema):
      let mapping = schema.mapped(profile.mapping)
      self.schema = schema
      self.mapping = mapping
      records = mapping.schema
      fieldTypes = mapping.fieldTypes(of: schema)
    case .records(let records):
      schema = nil
      mapping = nil
      self.records = records
      fieldTypes = [:]
    }
  }

  /// The types of the fields that hold the values of an attribute, asset twins left out.
  package func fieldTypes(of element: SchemaElement) -> Set<RecordSchema.FieldType> {
    fieldTypes[element] ?? []
  }

  /// What to call this version.
  package var label: String { document.label }

  /// The part that a person wrote for this part of the records: the attribute behind a field.
  package func written(_ element: SchemaElement) -> SchemaElement {
    mapping?.origins[element] ?? element
  }
}

/// The schema in hand beside one promoted version.
package struct LintPair: Sendable {
  /// The promoted version.
  package let old: LintSubject
  /// The schema in hand.
  package let new: LintSubject
  /// Differences of the objects; none when either side holds record types only.
  package let objectChanges: [SchemaChange]
  /// Differences of the records; none when both sides hold objects, which say more.
  package let recordChanges: [SchemaChange]
  /// Which entities and properties are the same in both; nil without objects on both sides.
  package let matching: SchemaMatching?
  /// What became of the old objects' properties; nil without objects on both sides.
  package let evolution: PropertyEvolution?

  package init(old: LintSubject, new: LintSubject) {
    self.old = old
    self.new = new
    if let before = old.schema?.mirroredPart, let after = new.schema?.mirroredPart {
      let matching = SchemaMatching(before, after)
      objectChanges = diff(before, after, matching)
      recordChanges = []
      self.matching = matching
      evolution = PropertyEvolution(before, after, matching)
    } else {
      objectChanges = []
      recordChanges = diff(old.records, new.records)
      matching = nil
      evolution = nil
    }
  }
}

/// All that a rule may look at.
package struct LintPass: Sendable {
  /// The schema in hand.
  package let subject: LintSubject
  /// The schema in hand beside every promoted version, oldest first.
  package let pairs: [LintPair]
  /// The rules' profile.
  package let profile: LintProfile
  /// Value transformers that the user says are registered and reversible; nil when nothing was said.
  package let knownTransformers: Set<String>?
  /// The parts of the schema in hand, for the walks.
  let sites: SchemaSites

  package init(
    subject: LintSubject, pairs: [LintPair] = [], profile: LintProfile,
    knownTransformers: Set<String>? = nil
  ) {
    self.subject = subject
    self.pairs = pairs
    self.profile = profile
    self.knownTransformers = knownTransformers
    sites = SchemaSites(subject.schema, profile: profile, knownTransformers: knownTransformers)
  }
}

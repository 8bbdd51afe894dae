import DataModel

extension Rule {
  static let tooManyFields = Rule(
    "too-many-fields", .pitfall, [.cloudkit: .error, .contrail: .warning],
    summary: "No record type has more than 256 fields.",
    why: "CloudKit refuses the field after that, and in production none can be taken back",
    fix: "move some of the fields to a record type of their own",
    check: recordTypes { type, subject in
      let count = type.fields.count { !$0.isSystem }
      guard count > fieldsMax else { return [] }
      let element = subject.written(.recordType(type.name))
      return [Offence(element, nil, "\(element) has \(count) fields, and \(fieldsMax) are allowed")]
    })

  // https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
  private static let fieldsMax = 256
}

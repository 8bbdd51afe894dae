public import JSONStream

extension ModifyRequest: WireRequest {
  /// Reads the body of `records/modify`.
  public init(reading json: inout JSONReader, limits: WireLimits) throws {
    var operations: [RecordOperation]?
    self.init(operations: [])
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "operations":
        operations = try json.list("operations", max: limits.batchItemsMax) { reader in
          try RecordOperation(reading: &reader, limits)
        }
      case "zoneID": zone = try json.zone("zoneID", limits)
      case "atomic": isAtomic = try json.truth("atomic")
      case "desiredKeys": desiredKeys = try json.desiredKeys("desiredKeys", limits)
      case "numbersAsStrings", "numberAsStrings":
        numbersAsStrings = try json.truth("numbersAsStrings") ?? false
      case "contrailBatch": isBatch = try json.truth("contrailBatch") ?? false
      case "contrailTokens": wantsTokens = try json.truth("contrailTokens") ?? false
      default: break
      }
    }
    self.operations = try operations.required("operations")
    // Only here, since the key may come after the operations.
    guard isBatch || self.operations.count <= limits.itemsMax else {
      throw WireError.tooMany("elements", max: limits.itemsMax, found: "more")
        .inside("operations")
    }
  }

  /// Writes the body of `records/modify`.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("operations")
      json.array { json in
        for operation in operations { operation.write(to: &json) }
      }
      json.member("zoneID", ifPresent: zone)
      json.member("atomic", ifPresent: isAtomic)
      json.member("desiredKeys", ifPresent: desiredKeys)
      json.member("numbersAsStrings", ifTrue: numbersAsStrings)
      json.member("contrailBatch", ifTrue: isBatch)
      json.member("contrailTokens", ifTrue: wantsTokens)
    }
  }
}

extension RecordOperation {
  init(reading json: inout JSONReader, _ limits: WireLimits) throws {
    var kind: Kind?
    var draft: RecordDraft?
    var desiredKeys: DesiredKeys?
    var numbersAsStrings: Bool?
    let object = try json.beginObject()
    while let key = try json.nextKey(of: object) {
      switch key {
      case "operationType":
        kind = try json.word("operationType", "an operation such as create or forceUpdate")
      case "record":
        draft = try json.optional("record") { reader in
          try RecordDraft(reading: &reader, limits)
        }
      case "desiredKeys": desiredKeys = try json.desiredKeys("desiredKeys", limits)
      case "numbersAsStrings", "numberAsStrings":
        numbersAsStrings = try json.truth("numbersAsStrings")
      default: break
      }
    }
    let record = try draft.required("record")
    self.init(try kind.required("operationType"), record.record)
    self.desiredKeys = desiredKeys ?? record.desiredKeys
    self.numbersAsStrings = numbersAsStrings
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("operationType", kind.rawValue)
      json.key("record")
      record.write(to: &json, as: .request)
      json.member("desiredKeys", ifPresent: desiredKeys)
      json.member("numbersAsStrings", ifPresent: numbersAsStrings)
    }
  }
}

extension RecordMapper {
  /// The most members that one composite attribute is taken apart into, at any depth; types that
  /// contain each other many times over would otherwise have fields without end.
  static let compositeMembersMax = 1_000

  mutating func map(_ attribute: Schema.Attribute, of owner: String) -> MappedProperty? {
    let element = SchemaElement.attribute(entity: owner, name: attribute.name)
    let field = MappedNames.field(of: attribute.name, profile)
    guard attribute.type == .composite, profile == .native else {
      return map(attribute, to: field, for: Claim(property: element))
    }
    var flattening = Flattening(claim: Claim(property: element))
    return map(membersOf: attribute, within: field, &flattening)
  }

  private mutating func map(
    _ attribute: Schema.Attribute, to name: String, for claim: Claim, encrypting: Bool = false
  ) -> MappedProperty? {
    guard let column = profile.columns[attribute.type] else {
      leaveOut(claim.property)
      return nil
    }
    let isExternal = attribute.options.contains(.externalStorage)
    let type = isExternal ? column.external : column.field
    var field = MappedField(
      name: name, type: type,
      isEncrypted: (encrypting || attribute.options.contains(.encrypted)) && type.canBeEncrypted)
    self.claim(.created(name, type, isEncrypted: field.isEncrypted), for: claim)
    if column.hasAssetTwin {
      let twin = name + MappedNames.assetSuffix
      field.assetTwin = twin
      self.claim(.created(twin, .asset), for: claim)
    }
    return .attribute(field)
  }
}

extension RecordMapper {
  /// Where in a composite attribute the mapper is.
  private struct Flattening {
    var claim: Claim
    /// The composite types around the member at hand: one of them again would never end.
    var types: [String] = []
    var count = 0
    var isEncrypted = false
  }

  private mutating func map(
    membersOf attribute: Schema.Attribute, within field: String, _ flattening: inout Flattening
  ) -> MappedProperty? {
    guard let name = attribute.compositeName, let composite = schema.composite(name),
      !flattening.types.contains(name)
    else {
      leaveOut(flattening.claim.property)
      return nil
    }
    let outer = flattening
    flattening.types.append(name)
    flattening.isEncrypted = outer.isEncrypted || attribute.options.contains(.encrypted)
    var members: [String: MappedProperty] = [:]
    for member in composite.attributes where member.isStored && member.derivation == nil {
      guard flattening.count < Self.compositeMembersMax else {
        leaveOut(flattening.claim.property)
        break
      }
      flattening.count += 1
      flattening.claim.path = outer.claim.path + [member.name]
      let memberField = MappedNames.field(of: member.name, within: field)
      members[member.name] =
        member.type == .composite
        ? map(membersOf: member, within: memberField, &flattening)
        : map(
          member, to: memberField, for: flattening.claim, encrypting: flattening.isEncrypted)
    }
    (flattening.types, flattening.claim, flattening.isEncrypted) = (
      outer.types, outer.claim, outer.isEncrypted
    )
    return .composite(members)
  }
}

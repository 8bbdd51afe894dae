/// Says how a model is related to others: what becomes of them when it is deleted, which property of theirs
/// leads back, and how many there may be.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Item.trip) var items: [Item] = []
/// ```
///
/// A maximum of 0 is no maximum. A relationship needs no attribute where the defaults are right; name the
/// inverse at one end only.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ModelMacros", type: "RelationshipMacro")

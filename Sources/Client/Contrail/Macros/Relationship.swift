/// Says how a model is related to others: what becomes of them when it is deleted, which property of theirs
/// leads back, and how many there may be.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Item.trip) var items: [Item] = []
/// ```
///
/// A maximum of 0 is no maximum. A relationship needs no attribute where the defaults are right; name the
/// inverse at one end only.
///
/// Where nothing is named, the inverse is the only property that may lead back. Within one class that is one
/// to many for one to one, as `children` for `parent`, and nothing else. `inverse: nil` says that there is
/// none, unless the other end names one.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ModelMacros", type: "RelationshipMacro")

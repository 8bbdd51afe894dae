/// Says how a property of a model is kept: that it is unique, encoded, indexed for search, was renamed.
///
/// ```swift
/// @Attribute(.unique) var name: String
/// @Attribute(originalName: "start_date") var startDate: Date
/// ```
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "ModelMacros", type: "AttributeMacro")

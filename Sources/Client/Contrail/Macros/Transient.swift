/// Keeps a stored property of a model out of the store.
///
/// ```swift
/// @Transient var timesViewed = 0
/// ```
///
/// The property needs a value to begin with, since objects that are read from a store have none for it.
@attached(peer)
public macro Transient() = #externalMacro(module: "ModelMacros", type: "TransientMacro")

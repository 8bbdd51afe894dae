public import DataModel

/// The identities of what a fetch found, in the form in which the store gave them; lent for one call.
///
/// Objects of one entity differ in their keys alone. Numbers cost a list no counting of references, which is
/// most of what a long list of identities costs; so who makes something else of them, or needs only the keys,
/// takes them from here.
public enum FoundIdentities {
  /// Objects of one entity in one store, by their keys, in memory of the query's answer.
  case alike(ObjectOrigin, keys: UnsafeBufferPointer<Int64>)
  /// Objects of any entities.
  case each([ObjectIdentity])

  /// The identities themselves.
  public var list: [ObjectIdentity] {
    switch self {
    case .alike(let origin, let keys): keys.map { ObjectIdentity(origin, key: $0) }
    case .each(let identities): identities
    }
  }

  /// The keys alone.
  var keys: [Int64] {
    switch self {
    case .alike(_, let keys): Array(keys)
    case .each(let identities): identities.map(\.key)
    }
  }
}

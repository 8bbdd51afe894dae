import DataModel
import PredicateSQL

/// What a list of results depends on: reckoned once for each request.
struct ResultsDependencies {
  /// The hierarchy of the objects themselves.
  let root: Int
  /// The position of the objects' entity.
  let entity: Int
  /// By the position of an entity: whether its objects matter.
  let concerned: [Bool]
  /// The numbers of those entities, as history has them.
  let numbers: Set<Int>
  /// The numbers of the entities of the objects themselves.
  let own: Set<Int>
  /// By the number of an own entity, the numbers of the properties that decide who is in the list and
  /// where; nil where others' properties do too.
  private let deciding: [Int: Set<Int>]?

  /// What decides who is in the list, and where.
  enum Reach {
    /// The properties that the request names.
    case named
    /// Any property of the objects: a function of the program's own.
    case ownObjects
    /// Any property of any object: a function that may go on to others.
    case everything
  }

  init(_ request: FetchRequest, _ layout: StoreLayout, _ reach: Reach) throws(StoreError) {
    guard let entity = layout.entity(request.entity) else {
      throw .unknownEntity(request.entity, among: layout.entities.map(\.name))
    }
    let expressions = [request.filter].compactMap(\.self) + request.sort.map(\.expression)
    let names = Set(expressions.flatMap(\.memberNames))
    let family = request.includesSubentities ? entity.family : [entity.index]
    var positions = Set(reach == .everything ? Array(layout.entities.indices) : family)
    // Which object a name is asked of is not followed: a relationship of that name of any entity counts.
    var leadsOn = false
    for other in layout.entities {
      for slot in other.slots where names.contains(slot.name) {
        guard let relationship = slot.relationship else { continue }
        leadsOn = true
        positions.insert(other.index)
        positions.formUnion(layout.entities[relationship.destination].family)
      }
    }
    root = entity.root
    self.entity = entity.index
    concerned = layout.entities.indices.map(positions.contains)
    numbers = Set(positions.map { layout.entities[$0].number })
    own = Set(family.map { layout.entities[$0].number })
    deciding =
      leadsOn || reach != .named
      ? nil
      : Dictionary(
        family.map { position in
          let member = layout.entities[position]
          let slots = member.slots.filter { slot in
            slot.name.split(separator: ".").contains { names.contains(String($0)) }
          }
          return (member.number, Set(slots.map(\.number)))
        }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether objects of that layout matter.
  func concerns(_ layout: EntityLayout) -> Bool {
    concerned.indices.contains(layout.index) && concerned[layout.index]
  }

  /// Whether an update may change who is in the list, or where.
  func mayReorder(_ update: ChangeSet.Update) -> Bool {
    guard let deciding else { return true }
    return deciding[update.entity].map { !$0.isDisjoint(with: update.properties) } ?? true
  }
}

extension QueryExpression {
  /// The names of all properties that the expression mentions, of whichever object.
  fileprivate var memberNames: Set<String> {
    var names: Set<String> = []
    var waiting = [self]
    while let next = waiting.popLast() {
      if case .member(_, let name) = next { names.insert(name) }
      waiting += next.children
    }
    return names
  }
}

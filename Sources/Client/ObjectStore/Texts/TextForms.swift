import DataModel
import Foundation
public import PredicateSQL
public import SQLiteDriver
internal import Synchronization

/// Which columns of texts hold nothing but normalization form C, so that a query may compare bytes, and
/// which of numbers and dates hold no NaN, so that it need not keep those out.
///
/// The store names the properties of which that is not true, in the table `contrail_unnormalized_text`;
/// a row is written there in the transaction that writes the first such text, and stays.
///
/// Who writes may know less than the store: then texts are looked at that need not be. Who reads asks
/// the store before each query: the answer may only be too old for texts that were committed after it,
/// and a query that does not see those is one that came before them.
final class TextForms: Sendable {
  static let tables = [
    // Numbers of properties with texts that are not in Unicode's normalization form C, or with a NaN.
    "CREATE TABLE contrail_unnormalized_text (property INTEGER PRIMARY KEY)"
  ]

  private struct State: Sendable {
    var unnormalized: Set<Int>
    var model: SQLModel
  }

  private let layout: StoreLayout
  private let identifier: UUID
  private let state: Mutex<State>

  init(_ layout: StoreLayout, _ identifier: UUID) {
    self.layout = layout
    self.identifier = identifier
    var model = layout.sqlModel(unnormalized: [])
    model.store = identifier
    state = Mutex(State(unnormalized: [], model: model))
  }

  /// What queries need to know: where things are, whose identities these are, and what may be compared
  /// byte by byte.
  private func model(unnormalized: Set<Int>) -> SQLModel {
    var model = layout.sqlModel(unnormalized: unnormalized)
    model.store = identifier
    return model
  }

  /// The properties that are known to have texts that are not normalized.
  var unnormalized: Set<Int> { state.withLock { $0.unnormalized } }

  /// What is true in the database that `connection` reads now.
  func model(_ connection: Connection) throws(SQLiteError) -> SQLModel {
    let statement = try connection.statement("SELECT property FROM contrail_unnormalized_text")
    var found: Set<Int> = []
    while try statement.step() { found.insert(Int(clamping: statement.integer(0))) }
    statement.reset()
    return state.withLock { state in
      if state.unnormalized != found {
        state = State(unnormalized: found, model: model(unnormalized: found))
      }
      return state.model
    }
  }

  func note(_ properties: Set<Int>) {
    if properties.isEmpty { return }
    state.withLock { state in
      let all = state.unnormalized.union(properties)
      if all != state.unnormalized {
        state = State(unnormalized: all, model: model(unnormalized: all))
      }
    }
  }
}

/// Looks at the texts that one transaction writes.
struct TextWatch {
  private var unnormalized: Set<Int>
  /// For some entities the slots whose texts have to be looked at, where that is not all of them.
  private var slots: [Int: [Int]] = [:]
  /// The properties that this transaction wrote such a text of first.
  private(set) var found: Set<Int> = []

  init(unnormalized: Set<Int>) {
    self.unnormalized = unnormalized
  }

  /// Looks at the texts of a row; returns the properties of which this is the first that is not
  /// normalized.
  @inline(__always)
  mutating func check(_ entity: EntityLayout, _ row: Row) -> [Int] {
    let watched = unnormalized.isEmpty ? entity.comparedSlots : left(entity)
    for slot in watched where row.isPresent(slot) && !entity.isOrdinary(slot, row) {
      return note(entity, row)
    }
    return []
  }

  @inline(never)
  private mutating func left(_ entity: EntityLayout) -> [Int] {
    if let known = slots[entity.index] { return known }
    let left = entity.comparedSlots.filter { !unnormalized.contains(entity.slots[$0].number) }
    slots[entity.index] = left
    return left
  }

  @inline(never)
  private mutating func note(_ entity: EntityLayout, _ row: Row) -> [Int] {
    let properties = left(entity).filter {
      row.isPresent($0) && !entity.isOrdinary($0, row)
    }.map { entity.slots[$0].number }
    return mark(properties)
  }

  mutating func mark(_ properties: [Int]) -> [Int] {
    let fresh = properties.filter { unnormalized.insert($0).inserted }
    found.formUnion(fresh)
    slots = [:]
    return fresh
  }
}

extension EntityLayout {
  /// Whether a text is in form C, or a number is one.
  @inline(__always)
  fileprivate func isOrdinary(_ slot: Int, _ row: Row) -> Bool {
    slots[slot].kind == .text
      ? NormalForm.isComposed(row.text(slot, self)) : !row.double(slot, self).isNaN
  }
}

extension Slot {
  /// Whether it holds numbers or dates that may be NaN and are not made in SQL.
  var isComparedNumber: Bool {
    (kind == .double || kind == .date) && column != nil && attribute?.derivation == nil
  }

  /// Whether it holds text that queries compare.
  ///
  /// Derived texts are made in SQL, where nobody looks.
  var isComparedText: Bool { kind == .text && column != nil && attribute?.derivation == nil }
}

extension WriteTransaction {
  /// Notes that texts of a property may not be in normalization form C: for those who write texts with
  /// statements of their own and have not looked at them with `isNormalized`.
  public func markUnnormalized(_ properties: [Int]) throws(SQLiteError) {
    try record(texts?.mark(properties) ?? [])
  }

  /// Whether a text is in normalization form C; one that is not has to be reported, with the number of
  /// its property, to `markUnnormalized`.
  public static func isNormalized(_ text: String) -> Bool { NormalForm.isComposed(text) }

  func record(_ properties: [Int]) throws(SQLiteError) {
    for property in properties {
      let statement = try connection.statement(
        "INSERT OR IGNORE INTO contrail_unnormalized_text (property) VALUES (?1)")
      statement.bind(1, Int64(property))
      try statement.run()
    }
  }
}

extension Store {
  /// What SQL needs to know of the store as it is now, to be asked for before each query: which texts
  /// are compared by their bytes may change with any commit.
  public func currentSQLModel() throws -> SQLModel {
    try read { connection in try extras.texts.model(connection) }
  }

  /// The same where it can be read, else what is right for any texts and numbers, though slower.
  var queryModel: SQLModel { (try? currentSQLModel()) ?? layout.sqlModel }
}

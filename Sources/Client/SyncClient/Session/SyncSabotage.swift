/// Bugs that a simulation switches on, to see that it finds them; empty everywhere else.
package struct SyncSabotage: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The base changes when something is sent, before anything is confirmed.
  package static let earlyBase = SyncSabotage(rawValue: 1 << 0)
  /// An edit keeps an object that was deleted elsewhere.
  package static let editWins = SyncSabotage(rawValue: 1 << 1)
  /// The token of a page is kept before the page is applied.
  package static let earlyToken = SyncSabotage(rawValue: 1 << 2)
  /// A conflict is taken for a success.
  package static let ignoredConflict = SyncSabotage(rawValue: 1 << 3)
  /// A new session forgets what was sent and may have arrived.
  package static let forgottenFlight = SyncSabotage(rawValue: 1 << 4)
  /// A change that is refused with an unknown code is dropped.
  package static let droppedUnknown = SyncSabotage(rawValue: 1 << 5)
  /// Operations of a unit are sent one by one.
  package static let singleOperations = SyncSabotage(rawValue: 1 << 6)
  /// A file that does not come at once is waited for no more.
  package static let forgottenFile = SyncSabotage(rawValue: 1 << 7)
  /// What came is taken for the file, whatever it is.
  package static let uncheckedFile = SyncSabotage(rawValue: 1 << 8)
  /// What is to be sent again since the server has lost it is only kept.
  package static let keptBack = SyncSabotage(rawValue: 1 << 9)
  /// What a server lacks that was put back to an earlier state is taken for deleted.
  package static let trustedAbsence = SyncSabotage(rawValue: 1 << 10)
  /// What a server does not tell of any more that has forgotten what was deleted is kept.
  package static let ignoredAbsence = SyncSabotage(rawValue: 1 << 11)
  /// What an earlier version of the program kept is not shown by a later one.
  package static let blindUpgrade = SyncSabotage(rawValue: 1 << 12)
}

import SyncClient

/// A bug that is switched on by name, to see that it is found.
struct Plant: Sendable {
  let name: String
  let summary: String
  let sabotage: SyncSabotage
  /// What a world needs for the bug to show; most worlds have it where nothing is named.
  var features: Set<Feature> = []

  static let rows: [Plant] = [
    Plant(
      name: "early-base",
      summary: "the copy of a record changes when it is sent, not when that is confirmed",
      sabotage: .earlyBase),
    Plant(
      name: "edit-wins", summary: "an edit keeps an object that was deleted elsewhere",
      sabotage: .editWins),
    Plant(
      name: "early-token", summary: "the token of a page is kept before the page is applied",
      sabotage: .earlyToken),
    Plant(
      name: "ignored-conflict", summary: "a conflict is taken for a success",
      sabotage: .ignoredConflict),
    Plant(
      name: "forgotten-flight", summary: "a process that ends forgets what it has sent",
      sabotage: .forgottenFlight, features: [.losses, .kills, .counters]),
    Plant(
      name: "dropped-unknown", summary: "a change that is refused with an unknown code is dropped",
      sabotage: .droppedUnknown),
    Plant(
      name: "single-operations", summary: "the changes of a unit are sent one by one",
      sabotage: .singleOperations),
    Plant(
      name: "forgotten-file", summary: "a file that does not come at once is waited for no more",
      sabotage: .forgottenFile),
    Plant(
      name: "unchecked-file", summary: "what came is taken for the file, whatever it is",
      sabotage: .uncheckedFile),
    Plant(
      name: "kept-back",
      summary: "what is to be sent again since the server has lost it is only kept",
      sabotage: .keptBack, features: [.zoneLosses]),
    Plant(
      name: "trusted-absence",
      summary: "what a server lacks that was put back to an earlier state is taken for deleted",
      sabotage: .trustedAbsence, features: [.restores]),
    Plant(
      name: "ignored-absence",
      summary: "what a server does not tell of any more that has forgotten deletions is kept",
      sabotage: .ignoredAbsence, features: [.forgetting]),
    Plant(
      name: "blind-upgrade",
      summary: "what an earlier version of the program kept is not shown by a later one",
      sabotage: .blindUpgrade, features: [.versions, .upgrades]),
  ]

  static func named(_ name: String) -> Plant? { rows.first { $0.name == name } }
}

import CommandKit
import SyncClient

let simulateCommand = Command(
  summary:
    "Run devices, a network and a server from a seed, and hold what comes of it to the rules.",
  discussion: """
    One of --seed, --seeds and --fresh says which seeds. A seed that fails prints itself, and what is
    wrong; --seed with --trace shows all that happened. The same seed is the same run each time.
    """,
  options: [
    .value("seed", "N", "run one seed"),
    .value("seeds", "A...B", "run the seeds from A to B"),
    .value("fresh", "N", "run so many seeds that nobody has chosen"),
    .value("jobs", "N", "run so many worlds at a time; as many as there are cores unless given"),
    .flag("trace", "print everything that happens"),
    .value("plant", "NAME", choices: Plant.rows.map(\.name), "switch a bug on, to see it found"),
    .values("without", "FEATURE", "leave something out, to see what is to blame"),
    .values("with", "FEATURE", "put something into every world, also what is left out otherwise"),
  ],
  examples: [
    .init("simulate --seeds 1...1000", "what continuous integration runs"),
    .init("simulate --seed 17 --trace", "everything that happens in world 17"),
    .init("simulate --seeds 1...200 --plant edit-wins", "is this bug found?"),
  ],
  exits: [
    .init(.ok, "every seed ran clean"),
    .init(.findings, "some seed did not"),
    .init(.unusable, "the call makes no sense"),
  ],
  run: { call in
    let plan = try SeedPlan(call)
    let totals = Blocking.run { await plan.run(call.console) }
    call.console.write(totals.line + "\n")
    return totals.failed == 0 ? .ok : .findings
  })

import DataModel
import RecordWire

extension RecordState {
  /// The fields that were edited later than what `server` has there, as edits with their clocks: a server
  /// that was put back to an earlier state has lost them.
  ///
  /// That somebody gave a field the value that the server has again counts, too, where both tell when. Without
  /// clocks the server's times of both states decide.
  public func edits(newerThan server: RecordState) -> [LocalEdit] {
    Set(fields.names).union(server.fields.names).union(clocks?.own.map(\.name) ?? [])
      .sorted { $0.precedesInBytes($1) }
      .compactMap { name in
        let isDated = clocks != nil && server.clocks != nil
        guard isDated || !value(name).isSame(as: server.value(name)) else { return nil }
        let clock = clock(of: name)
        return clock > server.clock(of: name) ? LocalEdit(name, value(name), clock) : nil
      }
  }

  private func clock(of name: String) -> FieldClock {
    clocks?[name] ?? FieldClock(modified, .unknown)
  }
}

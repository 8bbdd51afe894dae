import RecordServer
import RecordWire
import SQLiteDriver

extension SQLiteTransaction {
  func digest(of key: ZoneKey) throws -> ZoneDigest {
    let zone = try live(key)
    let statement = try connection.statement(
      "SELECT part, sums FROM zone_digest WHERE zone = ?1")
    defer { statement.reset() }
    statement.bind(1, zone.number)
    var digest = ZoneDigest()
    while try statement.step() {
      digest.set(DigestPart(stored: statement.bytes(1)), at: Int(clamping: statement.integer(0)))
    }
    return digest
  }

  /// Takes a commit into the digest of its zone.
  func applyToDigest(_ change: DigestChange, ofZone zone: Int64) throws {
    let byPart = Dictionary(grouping: change.byBucket) { DigestPart.number(ofBucket: $0.key) }
    for (number, sums) in byPart {
      var part = try digestPart(number, ofZone: zone)
      for (bucket, sum) in sums { part.add(sum, toBucket: bucket) }
      let statement = try connection.statement(
        """
        INSERT INTO zone_digest (zone, part, sums) VALUES (?1, ?2, ?3) \
        ON CONFLICT DO UPDATE SET sums = ?3
        """)
      statement.bind(1, zone)
      statement.bind(2, Int64(number))
      statement.bind(3, part.stored)
      try statement.run()
    }
  }

  private func digestPart(_ number: Int, ofZone zone: Int64) throws -> DigestPart {
    let statement = try connection.statement(
      "SELECT sums FROM zone_digest WHERE zone = ?1 AND part = ?2")
    defer { statement.reset() }
    statement.bind(1, zone)
    statement.bind(2, Int64(number))
    return DigestPart(stored: try statement.step() ? statement.bytes(0) : [])
  }
}

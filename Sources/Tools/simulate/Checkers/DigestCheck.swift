import RecordWire
import SyncClient

/// The sums that devices keep of their copies are the server's.
enum DigestCheck {
  static func find(_ moment: QuietMoment) throws -> String? {
    var sum = DigestSum()
    var digests: [String: RecordDigest] = [:]
    for (name, record) in moment.observer.live {
      let digest = RecordDigest.of(
        name: name, type: record.type, canonical: try FieldBytes(record.fields))
      digests[name] = digest
      sum.add(digest)
    }
    if let server = moment.digest, server.digest != sum.value {
      let others = (server.records ?? []).filter { digests[$0.recordName]?.value != $0.digest }
      return "the server's digest is not that of its records: \(others.map(\.recordName).sorted())"
    }
    for (index, inspection) in moment.inspections.enumerated() where inspection.digest != sum {
      return "device \(index) has another digest than the server"
    }
    return nil
  }
}

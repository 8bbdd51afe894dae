import RecordWire
import SyncClient

/// The sums that devices keep of their copies are the server's.
enum DigestCheck {
  static func find(_ moment: QuietMoment) throws -> String? {
    var sum = DigestSum()
    for (name, record) in moment.observer.live {
      sum.add(
        RecordDigest.of(name: name, type: record.type, canonical: try FieldBytes(record.fields)))
    }
    if let server = moment.digest, server.digest != sum.value {
      return "the server's digest is not that of its records"
    }
    for (index, inspection) in moment.inspections.enumerated() where inspection.digest != sum {
      return "device \(index) has another digest than the server"
    }
    return nil
  }
}

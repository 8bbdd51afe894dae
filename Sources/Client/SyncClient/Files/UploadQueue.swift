import SyncCore

/// The files that have to be sent before the next push, and how far that is: gone with the process, since
/// what was sent stands in the store.
struct UploadQueue {
  /// A field of a record.
  struct Key: Hashable {
    var record: Int64
    var field: String
  }

  /// Where a file may be sent.
  struct Place {
    var url: String
    /// In milliseconds since 1970.
    var expires: Int64
  }

  /// The request that is under way.
  enum Exchange {
    case places([WantedUpload])
    case file(WantedUpload)
  }

  var wanted: [WantedUpload] = []
  var places: [Key: Place] = [:]
  var exchange: Exchange?
  /// How many places are asked for at once; one by one after the server refused a request as a whole.
  var placesMax = FileLimits.placesMax
  /// How often each file was tried in vain.
  var attempts: [Key: Int64] = [:]

  /// Sends a file no more, or not now.
  mutating func drop(_ upload: WantedUpload) {
    places[upload.key] = nil
    wanted.removeAll { $0 == upload }
  }

  /// Sends no more files of a record.
  mutating func drop(record: Int64) {
    for upload in wanted where upload.record.number == record { drop(upload) }
  }
}

extension WantedUpload {
  var key: UploadQueue.Key { UploadQueue.Key(record: record.number, field: file.field) }
}

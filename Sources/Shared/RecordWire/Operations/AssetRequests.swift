/// The field of a record that holds, or will hold, a file.
public struct AssetField: Hashable, Sendable {
  /// The record's name; nil where the server shall make one.
  public var recordName: String?
  /// The record's type, which an upload needs.
  public var recordType: String?
  /// The field's name.
  public var fieldName: String

  /// Names a field.
  public init(recordName: String? = nil, recordType: String? = nil, fieldName: String) {
    self.recordName = recordName
    self.recordType = recordType
    self.fieldName = fieldName
  }
}

/// Asks where to upload files: the request of `assets/upload`.
public struct AssetUploadRequest: Hashable, Sendable {
  /// The fields that the files are for.
  public var tokens: [AssetField]
  /// The zone of their records; nil means the default zone.
  public var zone: ZoneIdentity?

  /// Makes a request.
  public init(tokens: [AssetField], zone: ZoneIdentity? = nil) {
    self.tokens = tokens
    self.zone = zone
  }
}

/// Where to upload files: the answer to `assets/upload`.
public struct AssetUploadResponse: Hashable, Sendable {
  /// One file's place.
  public struct Token: Hashable, Sendable {
    /// The record's name, also where the server made it: the save has to use it.
    public var recordName: String
    /// The field's name.
    public var fieldName: String
    /// Where to send the bytes.
    public var url: String

    /// Makes a place.
    public init(recordName: String, fieldName: String, url: String) {
      self.recordName = recordName
      self.fieldName = fieldName
      self.url = url
    }
  }

  /// One entry of the list: a place, or why there is none.
  public enum Entry: Hashable, Sendable {
    /// The place.
    case token(Token)
    /// Why there is none.
    case failure(ItemFailure)
  }

  /// One entry for each field of the request, in its order.
  public var tokens: [Entry]

  /// Makes an answer.
  public init(tokens: [Entry]) { self.tokens = tokens }
}

/// What the place of an upload answers when it has the bytes: `{"singleFile":{…}}`.
public struct SingleFileResponse: Hashable, Sendable {
  /// The dictionary for the field that the file is for.
  public var file: RecordAsset

  /// Makes an answer.
  public init(file: RecordAsset) { self.file = file }
}

/// Asks to use files again that records hold already: the request of `assets/rereference`.
public struct AssetRereferenceRequest: Hashable, Sendable {
  /// The fields that hold the files.
  public var assets: [AssetField]
  /// The zone of their records; nil means the default zone.
  public var zone: ZoneIdentity?

  /// Makes a request.
  public init(assets: [AssetField], zone: ZoneIdentity? = nil) {
    self.assets = assets
    self.zone = zone
  }
}

/// The dictionaries to use files again with: the answer to `assets/rereference`.
public struct AssetRereferenceResponse: Hashable, Sendable {
  /// One for each field of the request, in its order.
  public var assets: [RecordAsset]

  /// Makes an answer.
  public init(assets: [RecordAsset]) { self.assets = assets }
}

import Contrail

// One class through the years, each version in a namespace of its own: what is changed between two of them
// needs no plan.

enum Aircraft1 {
  @Model final class Aircraft {
    var type: String
    var engines: Int
    var color: String
    var nickname: String?
    var remarks: String

    init(type: String, engines: Int, color: String, nickname: String?, remarks: String) {
      self.type = type
      self.engines = engines
      self.color = color
      self.nickname = nickname
      self.remarks = remarks
    }
  }
}

// Added: passengers, seats. Removed: engines. Renamed: color. Optional: remarks. Not any more: nickname.
enum Aircraft2 {
  @Model final class Aircraft {
    var type: String
    var numberOfPassengers: Int?
    var seats: Int = 4
    @Attribute(originalName: "color") var paintColor: String
    var nickname: String = "none"
    var remarks: String?

    init(type: String, paintColor: String) {
      self.type = type
      self.paintColor = paintColor
    }
  }
}

/// The color has yet another name; its first one is still what it is known by.
enum Aircraft3 {
  @Model final class Aircraft {
    var type: String
    @Attribute(originalName: "color") var finish: String

    init(type: String, finish: String) {
      self.type = type
      self.finish = finish
    }
  }
}

/// The type is a number now, which nobody can infer.
enum Aircraft4 {
  @Model final class Aircraft {
    var type: Date

    init(type: Date) { self.type = type }
  }
}

/// Owners come, as one, later as several.
enum Aircraft5 {
  @Model final class Aircraft {
    var type: String
    var owner: Owner?

    init(type: String) { self.type = type }
  }

  @Model final class Owner {
    var name: String
    @Relationship(inverse: \Aircraft.owner) var aircraft: Aircraft?

    init(name: String) { self.name = name }
  }
}

enum Aircraft6 {
  @Model final class Aircraft {
    var type: String
    @Relationship(originalName: "owner", inverse: \Owner.aircraft) var owners: [Owner] = []

    init(type: String) { self.type = type }
  }

  @Model final class Owner {
    var name: String
    var aircraft: Aircraft?

    init(name: String) { self.name = name }
  }
}

// What a flight recorded, in a file beside the store at first. It is to be in the store itself, which no
// inference does: so it is done in steps that each can be, with code in between.

enum Recorder1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Aircraft.self] }

  @Model final class Aircraft {
    var type: String
    @Attribute(.externalStorage) var flightData: Data?

    init(type: String, flightData: Data?) {
      self.type = type
      self.flightData = flightData
    }
  }
}

enum Recorder2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Aircraft.self] }

  @Model final class Aircraft {
    var type: String
    @Attribute(.externalStorage) var flightData: Data?
    var tmpStorage: Data?

    init(type: String) { self.type = type }
  }
}

enum Recorder3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Aircraft.self] }

  @Model final class Aircraft {
    var type: String
    @Attribute(originalName: "tmpStorage") var flightData: Data?

    init(type: String) { self.type = type }
  }
}

/// All at once, by someone who did not think of the files.
enum RecorderInHaste {
  @Model final class Aircraft {
    var type: String
    var flightData: Data?

    init(type: String) { self.type = type }
  }
}

enum RecorderPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [Recorder1.self, Recorder2.self, Recorder3.self]
  }

  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: Recorder1.self, toVersion: Recorder2.self, willMigrate: nil,
        didMigrate: { context in
          for aircraft in try context.fetch(FetchDescriptor<Recorder2.Aircraft>()) {
            aircraft.tmpStorage = aircraft.flightData
          }
        }),
      .lightweight(fromVersion: Recorder2.self, toVersion: Recorder3.self),
    ]
  }
}

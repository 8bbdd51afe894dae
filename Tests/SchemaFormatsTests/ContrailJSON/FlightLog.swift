import DataModel
import FoundationEssentials

/// A schema with one of everything, and its text.
enum FlightLog {
  static let schema = Schema(
    name: "FlightLog", versionIdentifier: "2", isUsedWithCloudKit: true,
    entities: [
      Schema.Entity(
        name: "LogEntry",
        attributes: [
          .init(name: "duration", type: .double, defaultValue: .double(0)),
          .init(
            name: "place", type: .composite, compositeName: "Place", isOptional: true),
          .init(
            name: "remarks", type: .string, isOptional: true, options: [.encrypted, .spotlight],
            renamingIdentifier: "notes", validation: .init(maximum: "500"),
            userInfo: ["hint": "free text"]),
        ],
        relationships: [.init(name: "pilot", destination: "Pilot", inverse: "entries")],
        indexes: [
          .init(
            name: "byDuration", elements: [.init("duration", isAscending: false), .init("pilot")])
        ], uniquenessConstraints: [["duration", "pilot"]], naturalKey: ["duration"]),
      Schema.Entity(
        name: "Pilot", parent: "Person",
        relationships: [
          .init(
            name: "entries", destination: "LogEntry", inverse: "pilot", isToMany: true,
            isOptional: false, deleteRule: .cascade)
        ],
        fetchedProperties: [
          .init(
            name: "long",
            request: .init(name: "long", entity: "LogEntry", predicate: "duration > 3"))
        ]),
    ],
    composites: [.init(name: "Place", attributes: [.init(name: "latitude", type: .double)])],
    configurations: [.init(name: "Cloud", entities: ["LogEntry"], isUsedWithCloudKit: true)],
    fetchRequests: [.init(name: "all", entity: "LogEntry")])

  static let records = RecordSchema(
    roles: ["moderator"],
    types: [
      .init(
        name: "LogEntry",
        fields: [
          .init(name: "tags", type: .string, isList: true, indexes: [.queryable, .searchable]),
          .init(name: "count", type: .number, preferredNumber: .int64),
          .init(name: "secret", type: .bytes, isEncrypted: true),
        ], grants: [.init(to: "_world", .read), .init(to: "moderator", [.create, .write])])
    ])
}

extension FlightLog {
  static let objectsText = """
    {
      "contrail": 1,
      "kind": "objects",
      "name": "FlightLog",
      "version": "2",
      "usedWithCloudKit": true,
      "entities": {
        "LogEntry": {
          "naturalKey": [
            "duration"
          ],
          "attributes": {
            "duration": {
              "type": "double",
              "default": 0.0
            },
            "place": {
              "type": "composite",
              "composite": "Place",
              "optional": true
            },
            "remarks": {
              "type": "string",
              "optional": true,
              "encrypted": true,
              "spotlight": true,
              "maximum": "500",
              "renamingIdentifier": "notes",
              "userInfo": {
                "hint": "free text"
              }
            }
          },
          "relationships": {
            "pilot": {
              "destination": "Pilot",
              "inverse": "entries",
              "optional": true
            }
          },
          "indexes": {
            "byDuration": {
              "elements": [
                {
                  "property": "duration",
                  "descending": true
                },
                {
                  "property": "pilot"
                }
              ]
            }
          },
          "uniqueness": [
            [
              "duration",
              "pilot"
            ]
          ]
        },
        "Pilot": {
          "parent": "Person",
          "relationships": {
            "entries": {
              "destination": "LogEntry",
              "inverse": "pilot",
              "toMany": true,
              "deleteRule": "cascade"
            }
          },
          "fetchedProperties": {
            "long": {
              "request": "long",
              "entity": "LogEntry",
              "predicate": "duration > 3"
            }
          }
        }
      },
      "composites": {
        "Place": {
          "attributes": {
            "latitude": {
              "type": "double"
            }
          }
        }
      },
      "configurations": {
        "Cloud": {
          "entities": [
            "LogEntry"
          ],
          "usedWithCloudKit": true
        }
      },
      "fetchRequests": {
        "all": {
          "entity": "LogEntry"
        }
      }
    }

    """

  static let recordsText = """
    {
      "contrail": 1,
      "kind": "records",
      "roles": [
        "moderator"
      ],
      "types": {
        "LogEntry": {
          "fields": {
            "count": {
              "type": "NUMBER",
              "preferred": "INT64"
            },
            "secret": {
              "type": "BYTES",
              "encrypted": true
            },
            "tags": {
              "type": "STRING",
              "list": true,
              "queryable": true,
              "searchable": true
            }
          },
          "grants": {
            "_world": {
              "read": true
            },
            "moderator": {
              "create": true,
              "write": true
            }
          }
        }
      }
    }

    """
}

-- The tables of an SQLite store of format 1, for other programs that read it.
--
-- The store's own tables begin with contrail_. The others are those of a sample: entities Entry, Pilot,
-- Student (which inherits from Pilot, and so shares its table) and Tag. Tables and columns carry the
-- names of entities and properties; contrail_entity and contrail_property say which. A test holds this
-- file against what a new store has: a change of the tables is a new format, and a new file.
PRAGMA application_id = 1129599564;
PRAGMA user_version = 1;
CREATE TABLE contrail_store (name TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID;
CREATE TABLE contrail_entity (number INTEGER PRIMARY KEY, name TEXT NOT NULL, table_name TEXT NOT NULL, is_live INTEGER NOT NULL);
CREATE TABLE contrail_property (number INTEGER PRIMARY KEY, entity INTEGER NOT NULL, name TEXT NOT NULL, place TEXT NOT NULL, order_column TEXT NOT NULL, is_live INTEGER NOT NULL);
CREATE TABLE contrail_key (table_name TEXT PRIMARY KEY NOT NULL, next INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE contrail_name (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE contrail_transaction (number INTEGER PRIMARY KEY, time REAL NOT NULL, author INTEGER, process INTEGER, first_change INTEGER NOT NULL, change_count INTEGER NOT NULL);
CREATE TABLE contrail_change (number INTEGER PRIMARY KEY, kind INTEGER NOT NULL, entity INTEGER NOT NULL, key INTEGER NOT NULL, count INTEGER NOT NULL, properties BLOB, tombstone BLOB);
CREATE TABLE contrail_moved (number INTEGER PRIMARY KEY, entity INTEGER NOT NULL, shift INTEGER NOT NULL);
CREATE TABLE contrail_migration (number INTEGER PRIMARY KEY, time REAL NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL, stage TEXT, transaction_number INTEGER);
CREATE TABLE contrail_reader (name TEXT PRIMARY KEY NOT NULL, transaction_number INTEGER NOT NULL, time REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE contrail_unused_value (name TEXT PRIMARY KEY NOT NULL, time REAL) WITHOUT ROWID;
CREATE INDEX contrail_unused_value_time ON contrail_unused_value (time);
CREATE TABLE contrail_unnormalized_text (property INTEGER PRIMARY KEY);
CREATE TABLE "Entry" (_id INTEGER PRIMARY KEY, _version INTEGER NOT NULL, "hours" REAL, "photo" BLOB, "tail" TEXT, "pilot" INTEGER, "pilot_order" INTEGER);
CREATE TABLE "Pilot" (_id INTEGER PRIMARY KEY, _version INTEGER NOT NULL, _entity INTEGER NOT NULL);
CREATE TABLE "Tag" (_id INTEGER PRIMARY KEY, _version INTEGER NOT NULL);
CREATE TABLE "Entry_tags" (source INTEGER NOT NULL, target INTEGER NOT NULL, source_order INTEGER, target_order INTEGER, PRIMARY KEY (source, target)) WITHOUT ROWID;
CREATE INDEX "Entry_tags_target" ON "Entry_tags" (target, source);
CREATE INDEX "Entry_pilot_objects" ON "Entry" ("pilot", "pilot_order");
CREATE INDEX "Entry_tail_unique" ON "Entry" ("tail");

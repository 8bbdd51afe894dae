internal import DataModel
internal import PredicateSQL
internal import SQLiteDriver

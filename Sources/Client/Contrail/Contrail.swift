// `import Contrail` is the one import of a program that keeps its objects in a store: what such a
// program names in its own code comes with it.
@_exported public import DataModel

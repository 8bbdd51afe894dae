import DataModel

extension Rule {
  static let encryptedAndSearchable = Rule(
    "encrypted-and-searchable", .pitfall, .note,
    summary: "What is encrypted on the server is not in the search index of the device.",
    why: "the index holds the words as plain text",
    fix: "switch search indexing off, unless only the server must not read the value",
    check: attributes { site in
      site.attribute.options.isSuperset(of: [.encrypted, .spotlight])
        ? (.spotlight, "is encrypted, and is indexed for search") : nil
    })
}

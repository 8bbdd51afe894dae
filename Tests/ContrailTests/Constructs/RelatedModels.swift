import Contrail
import Testing

/// One to many, with the inverse named on one side, and orders that go with their parent.
@Model final class Shop {
  var name: String
  @Relationship(deleteRule: .cascade, inverse: \Sale.shop) var sales: [Sale] = []
  @Relationship(deleteRule: .nullify, inverse: \Clerk.shops) var clerks: [Clerk]?
  @Relationship(deleteRule: .deny, inverse: \Lease.shop) var lease: Lease?

  init(name: String) {
    self.name = name
  }
}

@Model final class Sale {
  var amount: Int
  var shop: Shop?

  init(amount: Int, shop: Shop? = nil) {
    self.amount = amount
    self.shop = shop
  }
}

/// The other side of many to many.
@Model final class Clerk {
  var name: String
  var shops: [Shop] = [Shop]()

  init(name: String, shops: [Shop] = []) {
    self.name = name
    self.shops = shops
  }
}

/// One to one.
@Model final class Lease {
  var years: Int
  @Relationship var shop: Shop?

  init(years: Int) {
    self.years = years
  }
}

/// A tree of one class.
@Model final class Branch {
  var name: String
  @Relationship(originalName: "stem") var parent: Branch?
  @Relationship(
    deleteRule: .cascade, minimumModelCount: 0, maximumModelCount: 4, inverse: \Branch.parent)
  var children: [Branch]

  init(name: String, parent: Branch? = nil, children: [Branch] = []) {
    self.name = name
    self.parent = parent
    self.children = children
  }

  var depth: Int { (parent?.depth ?? -1) + 1 }
}

/// Inverses that nobody names, to-one relationships that are needed.
@Model final class Poet {
  var name: String
  var poems = [Poem]()

  init(_ name: String) { self.name = name }
}

@Model final class Poem {
  var title: String
  var poet: Poet
  @Relationship(deleteRule: .noAction) var translator: Translator!

  init(_ title: String, by poet: Poet, translator: Translator) {
    self.title = title
    self.poet = poet
    self.translator = translator
  }
}

@Model final class Translator {
  var name: String
  var work: [Poem] = []

  init(_ name: String) { self.name = name }
}

@Suite struct RelatedModels {
  @Test func `One to many has both sides, whichever side was set`() throws {
    let kept = try Kept(Shop.self, Sale.self, Clerk.self, Lease.self) { context in
      let shop = Shop(name: "Corner")
      context.insert(shop)
      shop.sales.append(Sale(amount: 1))
      context.insert(Sale(amount: 2, shop: shop))
    }
    let shop = try kept.one(Shop.self)
    #expect(shop.sales.map(\.amount).sorted() == [1, 2])
    #expect(try kept.all(Sale.self).allSatisfy { $0.shop == shop })
  }

  @Test func `Many to many has both sides`() throws {
    let kept = try Kept(Shop.self, Sale.self, Clerk.self, Lease.self) { context in
      let (north, south) = (Shop(name: "North"), Shop(name: "South"))
      context.insert(Clerk(name: "Kim", shops: [north, south]))
      context.insert(Clerk(name: "Lou", shops: [south]))
    }
    let shops = try kept.all(Shop.self).sorted { $0.name < $1.name }
    #expect(shops.map { $0.clerks?.map(\.name).sorted() } == [["Kim"], ["Kim", "Lou"]])
  }

  @Test func `One to one has both sides`() throws {
    let kept = try Kept(Shop.self, Sale.self, Clerk.self, Lease.self) { context in
      let shop = Shop(name: "Corner")
      shop.lease = Lease(years: 3)
      context.insert(shop)
    }
    #expect(try kept.one(Shop.self).lease?.years == 3)
    #expect(try kept.one(Lease.self).shop?.name == "Corner")
  }

  @Test func `A tree is kept when its root is inserted`() throws {
    let kept = try Kept(Branch.self) { context in
      let leaf = Branch(name: "leaf")
      context.insert(Branch(name: "root", children: [Branch(name: "bough", children: [leaf])]))
    }
    let branches = try kept.all(Branch.self).sorted { $0.depth < $1.depth }
    #expect(branches.map(\.name) == ["root", "bough", "leaf"])
    #expect(branches.map(\.depth) == [0, 1, 2])
  }

  @Test func `Inverses that nobody names are found`() throws {
    let kept = try Kept(Poet.self, Poem.self, Translator.self) { context in
      let (poet, translator) = (Poet("Sappho"), Translator("Anne"))
      context.insert(Poem("One", by: poet, translator: translator))
      context.insert(Poem("Two", by: poet, translator: translator))
    }
    #expect(try kept.one(Poet.self).poems.map(\.title).sorted() == ["One", "Two"])
    #expect(try kept.one(Translator.self).work.count == 2)
    #expect(try kept.all(Poem.self).map(\.poet.name) == ["Sappho", "Sappho"])
    #expect(try kept.all(Poem.self).map(\.translator.name) == ["Anne", "Anne"])
  }

  @Test func `A shop takes its sales with it and leaves its clerks`() throws {
    let kept = try Kept(Shop.self, Sale.self, Clerk.self, Lease.self) { context in
      let shop = Shop(name: "Corner")
      shop.sales = [Sale(amount: 1), Sale(amount: 2)]
      shop.clerks = [Clerk(name: "Kim")]
      context.insert(shop)
      try context.save()
      context.delete(shop)
    }
    #expect(try kept.all(Shop.self).isEmpty)
    #expect(try kept.all(Sale.self).isEmpty)
    #expect(try kept.one(Clerk.self).shops.isEmpty)
  }

  @Test func `A shop with a lease that denies it is not deleted, and is without the lease`() throws
  {
    let kept = try Kept(Shop.self, Sale.self, Clerk.self, Lease.self) { context in
      let shop = Shop(name: "Corner")
      shop.lease = Lease(years: 3)
      context.insert(shop)
    }
    let shop = try kept.one(Shop.self)
    kept.context.delete(shop)
    let error = #expect(throws: StoreError.self) { try kept.context.save() }
    #expect(error?.code == .deleteDenied)
    kept.context.rollback()
    #expect(try kept.one(Shop.self).lease?.years == 3)
    shop.lease = nil
    kept.context.delete(shop)
    try kept.context.save()
    #expect(try kept.all(Shop.self) == [])
    #expect(try kept.one(Lease.self).shop == nil)
  }

  @Test func `A poem that is deleted with no action is in no list of its translator`() throws {
    let kept = try Kept(Poet.self, Poem.self, Translator.self) { context in
      let (poet, translator) = (Poet("Sappho"), Translator("Anne"))
      for title in ["One", "Two"] {
        context.insert(Poem(title, by: poet, translator: translator))
      }
    }
    let translator = try kept.one(Translator.self)
    try kept.context.delete(model: Poem.self, where: #Predicate { $0.title == "One" })
    try kept.context.save()
    #expect(translator.work.map(\.title) == ["Two"])
  }
}

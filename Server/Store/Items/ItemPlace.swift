import BasketModels

/// A folder and a name in it.
struct ItemPlace {
    let parent: ItemID
    let name: String
    let ifExists: CollisionPolicy
}

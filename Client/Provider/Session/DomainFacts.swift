import BasketModels
import BasketSupport

/// What is known of the domain as a whole, and decides what may be done with its items.
struct DomainFacts: Sendable, Equatable {
    /// What the server calls the domain for good.
    let id: String
    /// What the account calls it, at present.
    let name: String
    let role: DomainRole
    let hasTrash: Bool
    let caseRule: CaseRule
    /// Whether other people have a part in it.
    let isShared: Bool

    init(_ domain: DomainInfo, members: Int) {
        id = domain.id
        name = domain.name
        role = domain.role
        hasTrash = domain.trash
        caseRule = domain.caseRule
        isShared = members > 1 || domain.role != .owner
    }

    var mayWrite: Bool { role != .reader }

    /// What decides what may be done with each item, in a word. With other terms each item is another one,
    /// though nothing of it has changed.
    var terms: String { (mayWrite ? "w" : "r") + (hasTrash ? "t" : "d") }
}

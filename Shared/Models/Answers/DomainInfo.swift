import BasketSupport

/// A domain as the account that asks sees it.
package struct DomainInfo: Decodable, Sendable, Equatable {
    package var id: String
    package var name: String
    package var role: DomainRole
    package var caseRule: CaseRule
    package var trash: Bool
    package var items: Int64
    package var used: Int64
    package var history: Int64
    package var quota: Int64?
    /// What may still be written; nil where the server does not say.
    package var available: Int64?
    package var anchor: String
    package var created: Timestamp
}

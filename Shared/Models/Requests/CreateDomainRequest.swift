import BasketSupport

/// `POST /v1/domains`.
package struct CreateDomainRequest: Codable, Sendable {
    package var name: String
    package var caseRule: CaseRule?
    package var trash: Bool?
    package var quota: Int64?

    package init(name: String) {
        self.name = name
    }
}

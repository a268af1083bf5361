import BasketModels

/// What changes of a domain.
package struct DomainChange: Sendable {
    /// What this account calls it from now on.
    package var name: String?
    package var quota: FieldChange<Int64> = .keep
    package var hasTrash: Bool?

    package init() {}
}

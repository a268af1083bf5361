/// Where a file that a person sees belongs.
package struct UserVisiblePlace: Hashable, Sendable {
    package let item: NSFileProviderItemIdentifier
    package let domain: NSFileProviderDomainIdentifier

    package init(item: NSFileProviderItemIdentifier, domain: NSFileProviderDomainIdentifier) {
        self.item = item
        self.domain = domain
    }
}

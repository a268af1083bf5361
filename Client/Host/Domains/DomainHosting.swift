import FileProvider

/// Has domains hosted, each for itself: the registry does not know whether in this process or in others.
package protocol DomainHosting: Sendable {
    /// Has a domain hosted from now on, until it is stopped; whoever hosts it is looked after. Nothing happens to
    /// one that is hosted. The folder in which it is to be seen is made where there is none: nobody else touches it, as
    /// somebody may have left it mounted.
    func start(_ record: DomainRecord, in folders: DomainFolders) async throws
    /// Returns when nobody hosts the domain any more, and nobody has a file of its replica open. It may leave
    /// everything as a crash would.
    func stop(_ domain: NSFileProviderDomainIdentifier) async throws
    /// Who answers for a domain; nil while nobody does.
    func system(of domain: NSFileProviderDomainIdentifier) -> (any FileProviderSystem)?
}

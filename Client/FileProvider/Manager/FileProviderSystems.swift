import Synchronization

/// Who answers the managers of this process: a system for each domain, and one for what concerns no domain
/// in particular.
///
/// A domain that the system itself handed out knows its system, and needs no entry here: so several systems
/// can have a domain of one name in a process, as simulations do.
package enum FileProviderSystems {
    private struct Registered {
        weak var system: (any FileProviderSystem)?
    }

    private struct Registry {
        var byDomain: [NSFileProviderDomainIdentifier: Registered] = [:]
        var common = Registered()
    }

    private static let registry = Mutex(Registry())

    /// Makes a system answer for a domain, or nobody. The registry does not keep it alive.
    package static func register(
        _ system: (any FileProviderSystem)?, for domain: NSFileProviderDomainIdentifier
    ) {
        registry.withLock { $0.byDomain[domain] = system.map(Registered.init) }
    }

    /// Makes a system answer for what concerns no domain in particular, and for every domain without a
    /// system of its own; or nobody. The registry does not keep it alive.
    package static func registerDefault(_ system: (any FileProviderSystem)?) {
        registry.withLock { $0.common = Registered(system: system) }
    }

    /// The system of what concerns no domain in particular.
    package static var common: (any FileProviderSystem)? {
        registry.withLock { $0.common.system }
    }

    /// The system of a domain.
    package static func system(
        of domain: NSFileProviderDomainIdentifier
    ) -> (any FileProviderSystem)? {
        registry.withLock { registry in
            if let own = registry.byDomain[domain] {
                if let system = own.system { return system }
                registry.byDomain[domain] = nil
            }
            return registry.common.system
        }
    }
}

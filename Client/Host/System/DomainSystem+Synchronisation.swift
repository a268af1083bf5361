import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation

// What a domain's manager has done with items, and waits for.
extension DomainSystem {
    package func signalEnumerator(
        for container: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        // Changes come by the working set alone, whatever is signalled.
        host?.signal()
        completionHandler(nil)
    }

    package func signalErrorResolved(
        _ error: any Error, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        let carried = DomainHost.Failure(error: error)
        ask(completionHandler) { try await $0.resolve(carried.error) }
    }

    /// Completes when it is noted that the item is wanted.
    package func requestDownload(
        of item: NSFileProviderItemIdentifier, range: NSRange?,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        ask(completionHandler) { host in
            let id = try self.localNode(item, host)
            let isFile = try host.replica.read { try $0.node(id)?.kind == .file }
            if let range, isFile, range.location >= 0, range.length > 0,
                range.length <= Int.max - range.location
            {
                let start = Int64(range.location)
                // That it was asked for is all that is waited for.
                _ = self.world.spawn {
                    try? await host.materialise(start..<start + Int64(range.length), of: id)
                }
                return
            }
            try await host.requestDownload(of: id)
        }
    }

    package func evict(
        _ item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        ask(completionHandler) { host in
            try await host.evict(self.localNode(item, host)) { id in
                (try? self.userVisibleURL(of: id, host)) ?? nil
            }
        }
    }

    /// Completes when it is noted; the extension's `importDidFinish` is the end of it.
    package func reimportItems(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        ask(completionHandler) { host in
            try await host.reimport(below: self.node(item, host))
        }
    }

    package func requestModification(
        of fields: NSFileProviderItemFields, of item: NSFileProviderItemIdentifier,
        options: NSFileProviderModifyItemOptions, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        ask(completionHandler) { host in
            do {
                try await host.requestModification(
                    of: fields, of: self.localNode(item, host), options: options)
            } catch LocalError.notFound {
                throw NSError.fileProviderErrorForNonExistentItem(withIdentifier: item)
            }
        }
    }

    package func waitForStabilization(
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        ask(completionHandler) { try await $0.waitForStabilisation() }
    }

    package func waitForChanges(
        below item: NSFileProviderItemIdentifier, in domain: NSFileProviderDomainIdentifier,
        completionHandler: @escaping Done
    ) {
        ask(completionHandler) { try await $0.waitForChanges(below: self.node(item, $0)) }
    }

    package func disconnect(
        reason: String, options: NSFileProviderManager.DisconnectionOptions,
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        let disconnection = Disconnection(
            reason: reason, isTemporary: options.contains(.temporary))
        ask(completionHandler) { try await $0.disconnect(disconnection) }
    }

    package func reconnect(
        in domain: NSFileProviderDomainIdentifier, completionHandler: @escaping Done
    ) {
        ask(completionHandler) { try await $0.reconnect() }
    }
}

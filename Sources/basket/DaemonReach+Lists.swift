import FileProviderDaemon
import FileProviderHost

// Lists, which come in pages.
extension DaemonReach {
    /// Hands over each entry of a list, to its end.
    /// - Returns: how many there were.
    @discardableResult
    func each<Entry: Codable & Sendable>(
        of domain: HostedDomainState, _ request: ControlRequest, as type: Entry.Type,
        _ body: (Entry) throws -> Void
    ) async throws -> Int {
        var request = request
        request.limit = ControlProtocol.mostEntries
        var count = 0
        repeat {
            let page = try await ask(domain, request, for: Listed<Entry>.self)
            for entry in page.entries { try body(entry) }
            count += page.entries.count
            request.after = page.next
        } while request.after != nil
        return count
    }

    /// Hands over each item that lies in a folder, as far as that is known here.
    /// - Returns: the folder itself, and whether all that lies in it was known.
    func eachChild(
        of item: ControlItem, in domain: HostedDomainState, _ body: (ChildState) throws -> Void
    ) async throws -> FolderPage {
        var request = ControlRequest(.children, items: [item])
        request.limit = ControlProtocol.mostEntries
        while true {
            let page = try await ask(domain, request, for: FolderPage.self)
            for child in page.entries { try body(child) }
            guard let next = page.next else { return page }
            request.after = next
        }
    }

    /// What is seen of one item at a glance.
    func glance(
        at item: ControlItem, in domain: HostedDomainState
    ) async throws -> ChildState {
        var request = ControlRequest(.children, items: [item])
        request.limit = 1
        return try await ask(domain, request, for: FolderPage.self).item
    }

    /// Has something done with items, in as many requests as that takes.
    func each(
        _ ask: ControlCommand, _ items: [ControlItem], in domain: HostedDomainState,
        change: (inout ControlRequest) -> Void = { _ in },
        progress: @escaping @Sendable (ControlProgress) -> Void = { _ in }
    ) async throws {
        var rest = items[...]
        while !rest.isEmpty {
            let part = rest.prefix(ControlProtocol.mostItems)
            rest = rest.dropFirst(part.count)
            var request = ControlRequest(ask, items: Array(part))
            change(&request)
            _ = try await self.ask(domain, request, for: ControlDone.self, progress: progress)
        }
    }
}

import FileProvider
import FileProviderReplica
import Foundation

// What the extension offers beside files.
extension ControlDesk {
    func actions(_ request: ControlRequest) throws -> Listed<OfferedAction> {
        let items = try nodes(request.requiredItems()).map(\.id)
        return Listed(
            try host.actions(for: items).map {
                OfferedAction(identifier: $0.identifier.rawValue, name: $0.name)
            }, next: nil)
    }

    func perform(_ request: ControlRequest) async throws -> ControlDone {
        try await perform(request.required(\.name, "name"), on: request.requiredItems())
    }

    private func perform(_ name: String, on items: [ControlItem]) async throws -> ControlDone {
        let ids = try nodes(items).map(\.id)
        // What the provider calls them, and so what it offers, is known then.
        try await host.waitForNames(of: ids)
        guard try host.actions(for: ids).contains(where: { $0.identifier.rawValue == name }) else {
            throw ControlError(
                .noSuchAction, "“\(name)” is not offered for these items.",
                "Ask which are, with “actions”.", item: items.count == 1 ? items[0] : nil)
        }
        try await host.perform(.init(name), on: ids)
        return ControlDone()
    }

    /// What is kept on a device is for the extension to say of its items: it is asked by its action of that name.
    func pin(_ request: ControlRequest) async throws -> ControlDone {
        let items = try request.requiredItems()
        let word = request.ask.rawValue
        let ids = try nodes(items).map(\.id)
        try await host.waitForNames(of: ids)
        switch try host.pinning(request.ask == .pin, ids) {
        case .action(let action): return try await perform(action.rawValue, on: items)
        case .isSo: return ControlDone()
        case .notOffered:
            throw ControlError(
                .noSuchAction, "The provider does not offer to \(word) these items.",
                "“actions” tells what it offers; “download” brings them here for now.",
                item: items.count == 1 ? items[0] : nil)
        }
    }

    func decorations(_ request: ControlRequest) throws -> Listed<ShownMark> {
        Listed(
            try host.decorations(of: node(of: request).id).map(ShownMark.init),
            next: nil)
    }

    func thumbnails(_ request: ControlRequest) async throws -> Listed<ThumbnailEntry> {
        let items = try request.requiredItems()
        guard items.count <= ControlProtocol.mostPictures else {
            throw ControlRequest.bad("items", "longer than \(ControlProtocol.mostPictures) items")
        }
        let ids = try nodes(items).map(\.id)
        let edge = request.pixels ?? ControlProtocol.usualPixels
        let pictures = try await host.thumbnails(
            of: ids, size: CGSize(width: edge, height: edge))
        return try host.replica.read { reader in
            let entries: [ThumbnailEntry] = try ids.compactMap { id in
                guard let picture = pictures[id], let node = try reader.node(id) else { return nil }
                return ThumbnailEntry(item: try ItemSummary(node, reader), picture: picture)
            }
            return Listed(entries, next: nil)
        }
    }

    func alert(_ request: ControlRequest) throws -> ShownAlert {
        let word = try request.required(\.action, "action")
        guard let kind = UserAction.Kind(rawValue: word) else {
            throw ControlRequest.bad("action", "nothing that rules know")
        }
        let alert = try host.alert(
            before: UserAction(
                kind, nodes(request.items ?? []).map(\.id),
                to: request.destination.map { try nodes([$0])[0].id }, named: request.name))
        return ShownAlert(alert)
    }

    func suppress(_ request: ControlRequest) throws -> ControlDone {
        host.suppress(try request.required(\.name, "name"), request.isOn ?? true)
        return ControlDone()
    }

    func services(_ request: ControlRequest) async throws -> Listed<OfferedServiceName> {
        Listed(
            try await found(for: request).map { OfferedServiceName(name: $0.name.rawValue) },
            next: nil)
    }

    /// What is said over a service's socket is between its two ends: whoever asks goes there.
    func service(_ request: ControlRequest) async throws -> ServicePlace {
        let name = try request.required(\.name, "name")
        guard let service = try await found(for: request).first(where: { $0.name.rawValue == name })
        else {
            throw ControlError(
                .noSuchService, "The provider has no service “\(name)” for this item.",
                "Ask which it has, with “services”.", item: request.items?.first)
        }
        return ServicePlace(
            name: name, socket: try await service.fileProviderConnection().socket.path)
    }

    /// Who speaks to the host manages the domain.
    private func found(for request: ControlRequest) async throws -> [NSFileProviderService] {
        let item = try request.onlyItem()
        let id = try nodes([item])[0].id
        return try await host.calls.whenSettled {
            try await host.waitForNames(of: [id])
            guard let identifier = try nodes([item])[0].identifier else {
                throw ControlError(
                    .noSuchItem, "The provider has not heard of \(item.text) yet.",
                    "Wait until it was sent, with “wait”.", item: item)
            }
            return try await host.services(for: identifier, includingRestricted: true)
        }
    }

    func search(_ request: ControlRequest) async throws -> Listed<FoundEntry> {
        let words = try request.required(\.words, "words")
        let found = try await host.search(words, limit: request.wantedEntries)
        return try host.replica.read { reader in
            Listed(try found.map { try FoundEntry($0, reader) }, next: nil)
        }
    }
}

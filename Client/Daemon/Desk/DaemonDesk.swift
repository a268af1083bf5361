import BasketSupport
import FileProvider
import FileProviderHost
import Foundation

/// Answers the programs of the person whom a daemon works for, about their domains.
final class DaemonDesk: Sendable {
    struct Nothing: Codable, Sendable {}

    private let daemon: Daemon

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    /// Does what a request asks for, and sends the one line of its answer.
    func answer(
        _ request: [UInt8], _ send: @escaping @Sendable ([UInt8]) async -> Void
    ) async {
        var id: String?
        var isLast = false
        let line: [UInt8]
        do {
            let request = try DaemonRequest.read(request, id: &id)
            isLast = request.ask == .stop
            line = try await carryOut(request)
        } catch {
            let refusal = ControlReply<Nothing>(id, error: ControlError(daemon: error))
            // Made of texts alone: it can always be written.
            line = (try? refusal.line) ?? []
        }
        await send(line)
        if isLast { daemon.stop() }
    }

    private func carryOut(_ request: DaemonRequest) async throws -> [UInt8] {
        func line(_ answer: some Codable & Sendable) throws -> [UInt8] {
            try ControlReply(request.id, answer: answer).line
        }
        switch request.ask {
        case .hello: return try line(DaemonHello(version: daemon.version))
        case .domains: return try line(domains())
        case .add:
            try await daemon.registry.add(try record(request))
            return try line(try state(of: request))
        case .importTree:
            let folder = try request.required(\.folder, "folder")
            try await daemon.registry.importDomain(try record(request), from: folder)
            return try line(try state(of: request))
        case .remove: return try line(try await remove(request))
        case .enable, .disable:
            try await daemon.registry.setEnabled(request.ask == .enable, identifier(request))
            return try line(try state(of: request))
        // Once that is on its way.
        case .stop: return try line(Nothing())
        }
    }

    private func identifier(
        _ request: DaemonRequest
    ) throws -> NSFileProviderDomainIdentifier {
        NSFileProviderDomainIdentifier(try request.required(\.domain, "domain"))
    }

    private func record(_ request: DaemonRequest) throws -> DomainRecord {
        var record = DomainRecord(
            identifier: try identifier(request),
            displayName: try request.required(\.name, "name"))
        record.userInfo = request.info.map { info in
            DomainUserInfo(entries: info.mapValues { .text($0) })
        }
        record.supportsSyncingTrash = request.hasTrash ?? true
        record.supportsStringSearchRequest = request.canSearch ?? false
        if let problem = record.problem { throw problem }
        return record
    }

    private struct Removal: Codable, Sendable {
        /// Where lies what was kept; nil for nothing.
        var kept: String?
    }

    private func remove(_ request: DaemonRequest) async throws -> Removal {
        let mode: NSFileProviderManager.DomainRemovalMode =
            switch request.keep ?? .unsent {
            case .nothing: .removeAll
            case .unsent: .preserveDirtyUserData
            case .downloaded: .preserveDownloadedUserData
            }
        return Removal(
            kept: try await daemon.registry.remove(identifier(request), mode: mode)?.path)
    }

    // MARK: How domains are

    private func domains() -> HostedDomainList {
        let unreadable = daemon.registry.unavailable.map { domain, reason in
            HostedDomainState(
                domain: domain.rawValue, name: domain.rawValue, state: .unreadable, reason: reason)
        }
        return HostedDomainList(
            domains: daemon.registry.records().map { state(of: $0) }
                + unreadable.sorted { $0.domain < $1.domain }, folder: daemon.places.folders)
    }

    private func state(of request: DaemonRequest) throws -> HostedDomainState {
        let domain = try identifier(request)
        guard let record = daemon.registry.records().first(where: { $0.identifier == domain })
        else { throw NSFileProviderError(.providerDomainNotFound) }
        return state(of: record)
    }

    private func state(of record: DomainRecord) -> HostedDomainState {
        let info = record.userInfo?.entries.compactMapValues { value in
            if case .text(let text) = value { return text }
            return nil
        }
        var state = HostedDomainState(
            domain: record.identifier.rawValue, name: record.displayName, state: .disabled,
            info: info)
        guard let supervisor = daemon.hosting.supervisor(of: record.identifier) else {
            if record.userEnabled {
                state.reason = daemon.registry.failure(of: record.identifier)
                state.state = state.reason == nil ? .starting : .failing
            }
            return state
        }
        state.folder = supervisor.folders.place
        state.process = supervisor.process
        switch supervisor.stage {
        case .starting: state.state = .starting
        case .serving: (state.state, state.socket) = (.serving, supervisor.socket)
        case .failing(let reason): (state.state, state.reason) = (.failing, reason)
        case .stopped: break
        }
        return state
    }
}

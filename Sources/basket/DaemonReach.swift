import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// Speaks to the daemon of whoever has started this program, and to the hosts of their domains.
struct DaemonReach: Sendable {
    let places: ClientPlaces
    private let client: ControlClient

    init() throws {
        places = try PersonalPlaces.find()
        client = ControlClient(places.daemonSocket)
    }

    func ask<Answer: Codable & Sendable>(
        _ request: DaemonRequest, for type: Answer.Type, within patience: Duration? = nil
    ) async throws -> Answer {
        try await Self.translating { try await client.ask(request, for: type, within: patience) }
    }

    func domains() async throws -> [HostedDomainState] {
        try await ask(
            DaemonRequest(.domains), for: HostedDomainList.self, within: ControlClient.patience
        ).domains
    }

    /// How a domain is by now; as it was while nobody can be asked.
    func renewed(_ domain: HostedDomainState) async throws -> HostedDomainState {
        guard let domains = try? await domains() else { return domain }
        guard let found = domains.first(where: { $0.domain == domain.domain }) else {
            throw CommandFailure(
                "no_such_domain", "the domain ‘\(domain.name)’ is not here any more.",
                exitCode: .notFound)
        }
        return found
    }

    /// Whether there is one.
    func isThere() async -> Bool {
        (try? await domains()) != nil
    }

    /// Asks the host of a domain.
    /// - Parameters:
    ///   - patience: how long the answer may take; nil for however long.
    ///   - progress: hears each line that tells how far it is.
    func ask<Answer: Codable & Sendable>(
        _ domain: HostedDomainState, _ request: ControlRequest, for type: Answer.Type,
        within patience: Duration? = nil,
        progress: @escaping @Sendable (ControlProgress) -> Void = { _ in }
    ) async throws -> Answer {
        guard let socket = domain.socket else { throw CommandFailure(unserved: domain) }
        return try await Self.translating {
            try await ControlClient(socket)
                .ask(request, for: type, within: patience, progress: progress)
        }
    }

    /// What goes wrong, in words for people.
    private static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as ControlError {
            throw CommandFailure(error)
        } catch let error as ControlClient.Failure {
            throw CommandFailure(error)
        }
    }

    // MARK: What a person names

    /// The domain of that name, or the one that a path lies in; without a name, the only one there is.
    func domain(_ name: String?) async throws -> HostedDomainState {
        let domains = try await domains()
        guard let name else {
            if domains.count == 1 { return domains[0] }
            throw domains.isEmpty
                ? CommandFailure.noDomains
                : CommandFailure(
                    "which_domain",
                    "there are several domains: \(domains.map(\.name).joined(separator: ", ")).\nName one of them.",
                    exitCode: .usage)
        }
        if let domain = domains.first(where: { $0.isCalled(name) }) {
            return domain
        }
        if let place = NamedPlace(name, among: domains) { return place.domain }
        throw domains.isEmpty
            ? CommandFailure.noDomains
            : CommandFailure(
                "no_such_domain",
                "there is no domain ‘\(Words.shown(name))’.\nThere are \(domains.map(\.name).joined(separator: ", ")).",
                exitCode: .notFound)
    }

    /// The place that a path or a domain's name stands for; without one, the folder that one is in, or the only domain.
    func place(_ text: String?) async throws -> (HostedDomainState, ControlItem) {
        let domains = try await domains()
        // A domain's name is the domain, wherever one is; a folder of that name in it is ./NAME.
        if let text, let domain = domains.first(where: { $0.isCalled(text) }) {
            return (domain, ControlItem(path: ""))
        }
        if let place = NamedPlace(text ?? ".", among: domains) {
            return (place.domain, ControlItem(path: place.path))
        }
        return (try await domain(text), ControlItem(path: ""))
    }

    /// What paths stand for: all of them in one domain.
    func items(_ paths: [String]) async throws -> (HostedDomainState, [ControlItem]) {
        let domains = try await domains()
        let places = try paths.map { path in
            guard let place = NamedPlace(path, among: domains) else {
                if domains.isEmpty { throw CommandFailure.noDomains }
                let folders = domains.compactMap(\.folder).joined(separator: ", ")
                throw CommandFailure(
                    "no_such_item",
                    "‘\(Words.shown(path))’ lies in none of your domains.\nThey are in \(folders).",
                    exitCode: .notFound)
            }
            return place
        }
        guard let domain = places.first?.domain else { throw CommandFailure.noDomains }
        guard places.allSatisfy({ $0.domain.domain == domain.domain }) else {
            throw CommandFailure(
                "several_domains", "these lie in several domains.\nName those of one at a time.",
                exitCode: .usage)
        }
        return (domain, places.map { ControlItem(path: $0.path) })
    }
}

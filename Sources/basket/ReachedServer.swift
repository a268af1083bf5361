import BasketConnection
import BasketModels
import BasketProvider
import BasketSupport
import FileProviderDaemon
import FileProviderHost

/// The server of a domain, as commands ask it: what goes wrong is said in words for people.
struct ReachedServer: Sendable {
    let domain: HostedDomainState
    private let server: DomainServer

    init(of domain: HostedDomainState) async throws {
        self.domain = domain
        let world = World.live(log: .silent)
        do throws(DomainServer.Failure) {
            server = try await DomainServer(
                info: domain.info, keyring: DesktopKeyring.own(world.files), world: world)
        } catch {
            throw CommandFailure(error, of: domain)
        }
    }

    func ask<Value>(
        _ body: (DomainServer) async throws(ConnectionError) -> Value
    ) async throws -> Value {
        do throws(ConnectionError) {
            return try await body(server)
        } catch {
            if case .problem(let problem) = error, problem.status == 401 {
                throw CommandFailure(.loggedOut(address: server.address), of: domain)
            }
            throw CommandFailure(error, at: server.address)
        }
    }
}

extension CommandFailure {
    fileprivate init(_ error: DomainServer.Failure, of domain: HostedDomainState) {
        switch error {
        case .loggedOut(let address):
            self.init(
                "not_signed_in",
                "nobody is logged in to ‘\(Words.shown(domain.name))’ at \(address) any more.\nLog in again: basket connect \(Words.shown(domain.name))",
                exitCode: .forbidden)
        case .unreadable(let why):
            self.init("unreadable_login", "the log-in cannot be read: \(why)")
        case .hidden(let trouble):
            self.init(
                "hidden_login",
                "nobody can log in to the server of ‘\(Words.shown(domain.name))’ now. \(trouble.message)\n\(trouble.remedy)",
                exitCode: .unreachable)
        case .misconfigured(let what):
            self.init(
                "misconfigured",
                "the record of ‘\(Words.shown(domain.name))’ cannot be used: \(what)\nConnect it again: basket connect \(Words.shown(domain.name))"
            )
        }
    }
}

extension DaemonReach {
    /// The server of a domain, and what it calls the item that a path stands for.
    func serverItem(_ path: String) async throws -> (ReachedServer, ServerItem) {
        let (domain, items) = try await items([path])
        return (try await ReachedServer(of: domain), try await serverItem(items[0], in: domain))
    }

    func serverItem(
        _ item: ControlItem, in domain: HostedDomainState
    ) async throws -> ServerItem {
        let summary = try await glance(at: item, in: domain).state.item
        guard let identifier = summary.identifier else {
            throw CommandFailure(
                "unsent",
                "‘\(Words.path(summary.path))’ is not on the server yet.\nWait until it is: basket wait",
                exitCode: .conflict)
        }
        return ServerItem(
            identifier: identifier, path: summary.path, isFolder: summary.kind == "folder")
    }

    /// Has a domain hear at once of what a command has changed on its server. Where that fails, it hears of it later.
    func lookAgain(_ domain: HostedDomainState) async {
        _ = try? await ask(domain, ControlRequest(.look), for: ControlDone.self)
    }
}

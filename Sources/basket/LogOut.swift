import BasketProvider
import BasketSupport
import FileProviderDaemon

/// Gives a domain's log-in back: nobody needs it any more.
enum LogOut {
    private static let patience = Duration.seconds(5)

    /// What has become of it, besides that it is not used here any more.
    enum Outcome {
        case done
        /// The server did not hear of it.
        case unheard
        /// It is in a keyring that nobody can look into now, and the server did not hear of it.
        case leftInKeyring
    }

    static func ofDomain(_ domain: HostedDomainState) async -> Outcome {
        let world = World.live(log: .silent)
        let keyring = DesktopKeyring.own(world.files)
        let server: DomainServer
        do throws(DomainServer.Failure) {
            server = try await DomainServer(info: domain.info, keyring: keyring, world: world)
        } catch .hidden {
            await DomainServer.forgetLogIn(info: domain.info, keyring: keyring, world: world)
            return .leftInKeyring
        } catch {
            // Of a domain that nobody is logged in to, there is nothing to give back.
            return .done
        }
        let isHeard = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await server.logOut() }
            group.addTask {
                try? await world.sleep(patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        return isHeard ? .done : .unheard
    }
}

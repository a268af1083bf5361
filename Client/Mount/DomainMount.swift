import BasketSupport
import FileProviderHost

/// A domain that is mounted: from the kernel's end of the mount to the domain's host.
package final class DomainMount: Sendable {
    private let session: FuseSession
    private let news: News

    /// - Parameters:
    ///   - place: where the device is mounted.
    ///   - folder: where it keeps what is no provider's; it exists.
    ///   - isResumed: whether a process before this one has had the device.
    ///   - user: whose everything in it is.
    ///   - errands: does in the kernel what may wait there for a program.
    ///   - patience: so long programs wait for a provider that cannot be reached.
    package init(
        of host: DomainHost, on device: FuseDevice, at place: String, folder: String,
        isResumed: Bool, user: UInt32, group: UInt32, errands: any ErrandRunning,
        patience: Duration = .seconds(120), world: World
    ) throws {
        let domain = MountedDomain(
            host, folder: folder, isResumed: isResumed, world: world, user: user, group: group)
        session = try FuseSession(
            device: device, server: domain, errands: errands, patience: patience, world: world)
        news = News(view: domain.view, session: session, domain: domain)
        domain.use(news)
        domain.use(Echo(domain, at: place, of: device.number, errands))
    }

    /// Answers from now on.
    /// - Returns: whether a process after this one can go on with the same device.
    package func start() -> Bool {
        let canBeHandedOver = session.start()
        news.start()
        return canBeHandedOver
    }

    /// The machine is about to sleep: programs that wait for the provider are told that it cannot be reached. Returns within
    /// a second.
    package func rest() {
        session.rest()
    }

    /// The machine is awake again, and so perhaps is the way to the provider.
    package func goOn() {
        session.goOn()
    }

    /// Waits, on this thread, until the folder is mounted no more.
    package func join() {
        session.join()
        news.stop()
    }
}

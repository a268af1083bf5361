import BasketSupport
import FileProviderHost

/// A domain that is mounted: from the kernel's end of the mount to the domain's host.
package final class DomainMount: Sendable {
    private let session: FuseSession
    private let news: News

    /// - Parameters:
    ///   - greeting: where the kernel's first question is kept, for whoever goes on with the mount.
    ///   - isResumed: whether a process before this one has had it.
    ///   - user: whose everything in it is.
    package init(
        of host: DomainHost, on device: FuseDevice, greeting: String, isResumed: Bool,
        user: UInt32, group: UInt32, world: World
    ) throws {
        let domain = MountedDomain(host, world: world, user: user, group: group)
        session = try FuseSession(
            device: device, greeting: greeting, isResumed: isResumed, server: domain, world: world)
        news = News(view: domain.view, session: session, domain: domain)
        domain.use(news)
    }

    /// Answers from now on.
    package func start() {
        session.start()
        news.start()
    }

    /// Waits, on this thread, until the folder is mounted no more.
    package func join() {
        session.join()
        news.stop()
    }
}

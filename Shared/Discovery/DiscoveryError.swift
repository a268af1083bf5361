/// Why nothing can be found, or said, on the network.
package enum DiscoveryError: Error, Sendable, Equatable {
    /// There is no Avahi on this machine, or it does not run.
    case notRunning
    /// It runs, and does not do what it is asked; why, in its words.
    case refused(String)
}

import BasketStore
import BasketSupport

/// What an operator decides about the API.
package struct ServiceSettings: Sendable {
    /// What the server calls itself to clients.
    package var name: String
    package var version: String
    /// The largest file that is taken.
    package var largestFile: Int64
    package var allowsFaults: Bool
    /// Lets `/metrics` be read from elsewhere than this machine; nil for nobody.
    package var metricsToken: String?
    package var retention: RetentionPolicy
    /// How long a chunk that nobody bears is counted on. Collection waits twice as long, so that an
    /// upload that met it has all this time to commit.
    package var uploadGrace: Duration
    /// What bodies may hold in memory while they arrive and are worked on: all, and those of one account.
    package var bodyMemory = 1 << 30
    package var bodyMemoryOfAccount = 256 << 20

    package init(
        name: String = "Basket", version: String = "0", largestFile: Int64 = 1 << 42,
        allowsFaults: Bool = false, metricsToken: String? = nil,
        retention: RetentionPolicy = RetentionPolicy(), uploadGrace: Duration = .seconds(24 * 3600)
    ) {
        self.name = name
        self.version = version
        self.largestFile = largestFile
        self.allowsFaults = allowsFaults
        self.metricsToken = metricsToken
        self.retention = retention
        self.uploadGrace = uploadGrace
    }
}

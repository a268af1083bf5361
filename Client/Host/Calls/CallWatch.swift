import BasketSupport
import FileProvider
import Foundation

/// Gives up calls that stand still: an extension that hangs must not hold a place for ever.
struct CallWatch: Sendable {
    let world: World
    let patience: Duration

    /// So many looks at a call make up the patience, so that it is overdrawn by no more than one part of that.
    private static let looks = 5

    /// Looks after a call until the task is cancelled.
    func watch(_ call: some WatchedCall) async {
        var last = call.movement
        var still = 0
        while still < Self.looks {
            guard (try? await world.sleep(patience / Self.looks)) != nil else { return }
            let movement = call.movement
            still = movement == last ? still + 1 : 0
            last = movement
        }
        call.giveUp(Self.stall)
    }

    /// A server that does not answer looks the same from here.
    private static let stall = NSFileProviderError(
        .serverUnreachable,
        userInfo: [
            NSLocalizedDescriptionKey: HostError.timedOut.message,
            NSUnderlyingErrorKey: HostError.timedOut,
        ])

    /// Whether a call was given up: the extension may still be at it, and read what it was handed.
    static func hasGivenUp(because error: any Error) -> Bool {
        guard
            case HostError.timedOut? = (error as NSError).userInfo[NSUnderlyingErrorKey]
                as? HostError
        else { return false }
        return true
    }
}

import BasketSupport

/// Reads the settings again while the server runs. What cannot be read or used leaves everything as
/// it was: a mistake in a file must not end a server that works.
struct SettingsReader: Sendable {
    let invocation: Invocation
    /// What the server was started with: some of it holds until it ends.
    let first: Configuration

    func refresh(_ server: RunningServer, _ log: Log) {
        do {
            let configuration = try ServerSettings.resolve(invocation)
            try server.reload(configuration)
            for (old, new) in zip(first.entries, configuration.entries)
            where old.text != new.text && !ServerSettings.changeable.contains(new.name) {
                log.warning("setting waits for a restart", ["name": .text(new.name)])
            }
            log.notice("settings read again")
        } catch {
            let message = (error as? any ReportableError)?.message ?? "\(error)"
            log.error(
                "settings not taken up",
                ["error": .text(message.replacing("\n", with: " "))])
        }
    }
}

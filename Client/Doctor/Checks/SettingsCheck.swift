import BasketSupport
import FileProviderDaemon

/// Whether what a person has set for their domains can be read.
struct SettingsCheck: Check {
    let file: String

    func findings() async -> [Finding] {
        do {
            _ = try PersonalSettings.entries(at: file, ProcessEnvironment.variables())
            return []
        } catch {
            return [
                Finding(
                    "settings", .wrong, "What you have set cannot be read: \(error).",
                    remedy:
                        "Mend that in \(file); ‘basket config’ shows what is in force. Until then, what was set before holds."
                )
            ]
        }
    }
}

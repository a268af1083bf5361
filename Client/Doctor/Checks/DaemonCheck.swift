import FileProviderDaemon

/// Whether the daemon runs, and is of the version that asks.
struct DaemonCheck: Check {
    /// How it was found.
    enum State {
        case answers(version: String?)
        case missing
        case failing(String)
    }

    let socket: String
    let version: String

    func findings() async -> [Finding] {
        let state: State
        do {
            let hello = try await ControlClient(socket).ask(
                DaemonRequest(.hello), for: DaemonHello.self, within: ControlClient.patience)
            state = .answers(version: hello.version)
        } catch ControlClient.Failure.nobody {
            state = .missing
        } catch ControlClient.Failure.silent {
            state = .failing("it says nothing")
        } catch {
            state = .failing("\(error)")
        }
        return [judge(state)]
    }

    func judge(_ state: State) -> Finding {
        switch state {
        case .answers(version: version):
            Finding("daemon", .fine, "The daemon runs, and is of this version (\(version)).")
        case .answers(let other):
            Finding(
                "daemon", .wrong,
                "The daemon is of another version (\(other ?? "an older one")) than this program (\(version)).",
                remedy:
                    "Have it become this one: ‘systemctl --user reload basket’, or ‘pkill -HUP -f \"basket daemon\"’; where it stays, start it anew."
            )
        case .missing:
            Finding(
                "daemon", .wrong, "The daemon does not run: no domain is there.",
                remedy: "Start it: ‘systemctl --user start basket’, or ‘basket daemon &’.")
        case .failing(let why):
            Finding(
                "daemon", .wrong, "The daemon does not answer as it should: \(why).",
                remedy: "Start it anew: ‘systemctl --user restart basket’.")
        }
    }
}

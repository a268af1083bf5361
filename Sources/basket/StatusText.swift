import FileProviderDaemon
import FileProviderHost

/// How a domain is, in lines for people.
struct StatusText {
    static let mostLines = 8

    let domain: HostedDomainState
    let status: Status?
    let error: String?
    let strays: [String]

    var text: String {
        var lines = ["\(Words.shown(domain.name))  \(Words.shown(domain.folder ?? ""))"]
        lines += strays.map { folder in
            indented(
                """
                What was written here while nothing was mounted is on this device alone, in ‘\(Words.shown(folder))’: \
                move into the domain what is to be kept.
                """)
        }
        guard let status else {
            return (lines + [indented((error ?? "It is not there.").replacing("\n", with: "\n  "))])
                .joined(separator: "\n")
        }
        lines.append(indented(headline(status)))
        lines += moving(status).map(indented)
        if status.heldRemovals > 0 {
            lines.append(
                indented(
                    """
                    \(Words.count(status.heldRemovals, "removal", "removals")) held back, as they are many at once: \
                    ‘basket removals’ lists them, and applies or undoes them.
                    """))
        }
        if status.rescued > 0 {
            lines.append(
                indented(
                    "\(Words.count(status.rescued, "file", "files")) kept aside because nowhere else: ‘basket rescued’ lists them."
                ))
        }
        if let failure = status.failure {
            lines.append(indented(Words.shown("\(failure.message) \(failure.remedy)")))
        }
        for state in status.troubles {
            lines.append(indented(StateText(state).text))
        }
        return lines.joined(separator: "\n")
    }

    private func indented(_ line: String) -> String { "  " + line }

    private func headline(_ status: Status) -> String {
        guard status.isConnected else {
            // The reason is a sentence of somebody's, with its end or without.
            let reason = status.reason.map {
                ": " + Words.shown($0.hasSuffix(".") ? String($0.dropLast()) : $0)
            }
            let waiting =
                status.pending > 0
                ? " \(Words.count(status.pending, "item waits", "items wait"))." : ""
            return "Paused\(reason ?? ""). ‘basket resume’ ends that.\(waiting)"
        }
        if status.isSafe { return "Everything is safe on the server. \(here(status))" }
        if status.stage != "following" {
            return "What the server has is being listed. \(here(status))"
        }
        return "\(Words.count(status.pending, "item waits", "items wait")). \(here(status))"
    }

    private func here(_ status: Status) -> String { "\(Words.bytes(status.bytesHere)) are here." }

    private func moving(_ status: Status) -> [String] {
        var lines: [String] = []
        for (word, totals) in [("Sending", status.uploads), ("Fetching", status.downloads)]
        where totals.completedFiles < totals.files {
            lines.append(
                """
                \(word) \(totals.completedFiles) of \(Words.count(totals.files, "file", "files")), \
                \(Words.bytes(totals.completedBytes)) of \(Words.bytes(totals.bytes))
                """)
        }
        for transfer in status.transfers {
            guard let item = transfer.item else { continue }
            lines.append(
                """
                \(transfer.isUpload ? "↑" : "↓") \(Words.shown(item.path))  \(Words.bytes(transfer.completedBytes)) of \
                \(Words.bytes(transfer.bytes))
                """)
        }
        return lines
    }
}

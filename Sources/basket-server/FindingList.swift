import BasketModels
import BasketSupport
import BasketUpkeep

/// What a check found, as commands print it.
enum FindingList {
    static func show(
        _ findings: [Finding], _ invocation: Invocation, _ console: Console
    ) {
        for finding in findings {
            if invocation.has("json") {
                var writer = JSONWriter()
                finding.write(to: &writer)
                console.print(String(decoding: writer.bytes, as: UTF8.self))
            } else {
                console.print("\(finding.severity.rawValue): \(finding.message)")
            }
        }
        guard findings.isEmpty, !invocation.has("json") else { return }
        console.print(
            invocation.has("deep")
                ? "nothing is wrong" : "nothing is wrong; contents were not read, as --deep does")
    }
}

import FileProviderHost

/// What programs say to a domain's host: it is read and says the same when it is sent, or is refused with words.
enum ControlRequestFuzzer: Fuzzer {
    static let name = "control-request"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        var id: String?
        let request: ControlRequest
        do {
            request = try ControlRequest.read(bytes, id: &id)
        } catch {
            guard !error.message.isEmpty, !error.remedy.isEmpty else {
                throw FuzzFinding("a request is refused without words")
            }
            return
        }
        guard request.id == id else { throw FuzzFinding("an answer would bear another name") }
        guard let line = try? request.line, line.last == 0x0A, !line.dropLast().contains(0x0A),
            let again = try? ControlRequest.read(line, id: &id), again == request
        else { throw FuzzFinding("a request says something else when it is sent") }
    }
}

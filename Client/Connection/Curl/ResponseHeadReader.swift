/// Puts an answer's head together from its lines.
struct ResponseHeadReader {
    enum Step: Equatable {
        case goesOn
        /// The head of the final answer is whole.
        case complete(TransportResponse)
        case tooLong
        case notUnderstood
    }

    private var status = 0
    private var headers: [TransportResponse.Header] = []
    private var length = 0
    private(set) var isComplete = false

    /// Takes one line, with its end.
    mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        length += line.count
        guard length <= CurlTransfer.longestHead else { return .tooLong }
        if isComplete { return .goesOn }  // A trailer, which nobody here asks for.
        var line = line[...]
        while let last = line.last, last == 10 || last == 13 { line.removeLast() }
        let text = String(decoding: line, as: UTF8.self)
        if text.isEmpty {
            // Interim answers have heads of their own.
            guard status >= 200 else { return .goesOn }
            isComplete = true
            return .complete(TransportResponse(status: status, headers: headers))
        }
        if text.hasPrefix("HTTP/") {
            let words = text.split(separator: " ", maxSplits: 2)
            guard words.count >= 2, let number = Int(words[1]), (100...599).contains(number) else {
                return .notUnderstood
            }
            status = number
            headers = []
            return .goesOn
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return .goesOn }
        let value = text[text.index(after: colon)...]
        headers.append(
            TransportResponse.Header(
                name: text[..<colon].lowercased(), value: Self.trimmed(value)))
        return .goesOn
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}

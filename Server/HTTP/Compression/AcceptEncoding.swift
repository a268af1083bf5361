/// Which codings a client takes.
package enum AcceptEncoding {
    /// Whether gzip may be sent, and is not wanted less than the plain content.
    package static func allowsGzip(_ headers: HTTPHeaders) -> Bool {
        guard headers["Accept-Encoding"] != nil else { return false }
        var gzip: Double?
        var identity: Double?
        var others: Double?
        for value in headers.all("Accept-Encoding") {
            for element in value.unicodeScalars.split(separator: ",").map(Substring.init) {
                guard let (coding, quality) = parse(element) else { continue }
                switch coding {
                case "gzip", "x-gzip": gzip = quality
                case "identity": identity = quality
                case "*": others = quality
                default: break
                }
            }
        }
        let wanted = gzip ?? others ?? 0
        return wanted > 0 && wanted >= (identity ?? 0)
    }

    private static func parse(_ element: Substring) -> (coding: String, quality: Double)? {
        let parts = element.unicodeScalars.split(separator: ";").map { trimmed($0).lowercased() }
        guard let coding = parts.first, !coding.isEmpty else { return nil }
        for parameter in parts.dropFirst() where parameter.hasPrefix("q=") {
            // What is no number between 0 and 1 is not believed to be a wish.
            guard let quality = Double(parameter.dropFirst(2)), (0...1).contains(quality) else {
                return nil
            }
            return (coding, quality)
        }
        return (coding, 1)
    }

    /// Without the blanks around it; those inside do not belong there, and are left.
    private static func trimmed(_ part: Substring.UnicodeScalarView) -> String {
        var part = part
        while part.first == " " || part.first == "\t" { part.removeFirst() }
        while part.last == " " || part.last == "\t" { part.removeLast() }
        return String(part)
    }
}

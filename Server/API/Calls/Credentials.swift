import BasketContent

/// What an `Authorization` header says.
enum Credentials: Equatable {
    case token(String)
    case password(name: String, password: String)

    /// Nil for schemes that are not known here, and for what cannot be read.
    init?(header: String) {
        let parts = header.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let value = parts[1].trimmingSpaces()
        switch parts[0].lowercased() {
        case "bearer": self = .token(value)
        case "basic":
            guard let bytes = Base64.decode(value, .standard),
                let text = String(validating: bytes, as: UTF8.self),
                let colon = text.firstIndex(of: ":")
            else { return nil }
            let password = String(text[text.index(after: colon)...])
            self = .password(name: String(text[..<colon]), password: password)
        default: return nil
        }
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

import BasketContent

/// What an `Authorization` header says.
package enum Credentials: Equatable {
    case token(String)
    case password(name: String, password: String)

    /// Nil for schemes that are not known here, and for what cannot be read.
    package init?(header: String) {
        // By bytes: this is done for every request, and characters cost a hundred times as much.
        let bytes = header.utf8
        guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        var value = bytes[bytes.index(after: space)...]
        while value.first == UInt8(ascii: " ") { value.removeFirst() }
        while value.last == UInt8(ascii: " ") { value.removeLast() }
        let text = String(Substring(value))
        switch String(Substring(bytes[..<space])).lowercased() {
        case "bearer": self = .token(text)
        case "basic":
            guard let bytes = Base64.decode(text, .standard),
                let pair = String(validating: bytes, as: UTF8.self),
                let colon = pair.utf8.firstIndex(of: UInt8(ascii: ":"))
            else { return nil }
            let password = String(pair[pair.utf8.index(after: colon)...])
            self = .password(name: String(pair[..<colon]), password: password)
        default: return nil
        }
    }
}

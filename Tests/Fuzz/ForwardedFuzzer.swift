import BasketHTTP

/// What proxies say of a client: whatever the client has written before them, the address that a
/// trusted proxy adds behind it is the one that counts.
enum ForwardedFuzzer: Fuzzer {
    static let name = "forwarded"

    private static let client = "192.0.2.1"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let range = AddressRange("127.0.0.0/8") else { return }
        for (name, hop) in [
            ("Forwarded", "for=\(client);proto=https"), ("X-Forwarded-For", client),
        ] {
            var headers = HTTPHeaders()
            headers.append(name, text)
            _ = ForwardedClient(
                peer: .loopback, isSecure: false, headers: headers, trusting: [range])
            headers[name] = text + ", " + hop
            try check(headers, range)
            headers[name] = text
            headers.append(name, hop)
            try check(headers, range)
        }
    }

    private static func check(_ headers: HTTPHeaders, _ range: AddressRange) throws(FuzzFinding) {
        let found = ForwardedClient(
            peer: .loopback, isSecure: false, headers: headers, trusting: [range])
        guard found.address.description == client else {
            throw FuzzFinding("\(headers.fields) come from \(found.address)")
        }
    }
}

import Testing

@testable import BasketHTTP

@Suite("An address")
struct AddressTests {
    @Test(
        "to listen on is a host and a port",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080), ("[::1]:80", "::1", 80), (":0", "", 0),
            ("nas.local:443", "nas.local", 443),
        ] as [(String, String, UInt16)])
    func listening(text: String, host: String, port: UInt16) throws {
        let address = try #require(ListeningAddress(text))
        #expect(address.host == host && address.port == port && address.description == text)
    }

    @Test(
        "is no other text",
        arguments: [
            "", "8080", "h", "h:", "h:x", "h:65536", "h:-1", "::1:80", "[h]:1", "a b:1", "[::1]",
            "h:+1", "h\0:1",
        ])
    func notListening(text: String) {
        #expect(ListeningAddress(text) == nil)
    }

    @Test(
        "is written as it is read",
        arguments: ["127.0.0.1", "255.255.255.255", "::1", "2001:db8::1", "fe80::1"])
    func roundTrip(text: String) {
        #expect(NetworkAddress(text)?.description == text)
    }

    @Test("of IPv4 is the same within IPv6")
    func mapped() {
        #expect(NetworkAddress("::ffff:10.1.2.3") == NetworkAddress("10.1.2.3"))
        #expect(NetworkAddress("::ffff:10.1.2.3")?.description == "10.1.2.3")
        #expect(NetworkAddress("10.1.2.3")?.customer == NetworkAddress("10.1.2.3"))
        #expect(NetworkAddress("2001:db8:1:2:3::4")?.customer == NetworkAddress("2001:db8:1:2::"))
    }

    @Test(
        "is in a range, or is not",
        arguments: [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
            ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false), ("::/0", "::1", true),
            ("2001:db8::/32", "2001:db8:ffff::1", true), ("2001:db8::/32", "2001:db9::1", false),
            ("10.9.8.7/8", "10.0.0.1", true), ("127.0.0.0/8", "::1", false),
            ("::/64", "1.2.3.4", false), ("::/64", "::1", true),
        ])
    func ranges(range: String, address: String, isIn: Bool) throws {
        #expect(
            try #require(AddressRange(range)).contains(try #require(NetworkAddress(address)))
                == isIn)
    }

    @Test(
        "range is no other text",
        arguments: [
            "", "x", "10.0.0.0/33", "10.0.0.0/", "::/129", "1.2.3.4/8/8", "10.0.0.0/+8",
            "10.0.0.0/-0", "10.0.0.1\0", "10.0.0.1\0/8",
        ])
    func noRange(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(
        "of a client is what the trusted proxies say, from the last one back",
        arguments: [
            (["Forwarded": "for=192.0.2.1;proto=https"], "192.0.2.1", true),
            (["Forwarded": "For=\"[2001:db8::1]:99\""], "2001:db8::1", false),
            (["Forwarded": "for=1.1.1.1, for=192.0.2.1;proto=http"], "192.0.2.1", false),
            (["Forwarded": "for=192.0.2.1;proto=https, for=10.0.0.2"], "192.0.2.1", true),
            (["Forwarded": "for=unknown"], "10.0.0.1", false),
            (["Forwarded": "for=_hidden, for=10.0.0.2"], "10.0.0.2", false),
            (["X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https"], "192.0.2.1", true),
            (["X-Forwarded-For": "1.1.1.1, 192.0.2.1, 10.0.0.3"], "192.0.2.1", false),
            (["X-Forwarded-For": "garbage"], "10.0.0.1", false),
            (["X-Forwarded-For": "1.1.1.1\u{600}, 192.0.2.1"], "192.0.2.1", false),
            (["Forwarded": "for=1.1.1.1\u{600}, for=192.0.2.1"], "192.0.2.1", false),
            (["Forwarded": "for=192.0.2.1", "X-Forwarded-For": "1.1.1.1"], "10.0.0.1", false),
            (["Forwarded": "for=192.0.2.1", "X-Forwarded-For": "192.0.2.1"], "192.0.2.1", false),
            ([:], "10.0.0.1", false),
        ] as [(HTTPHeaders, String, Bool)])
    func forwarded(headers: HTTPHeaders, address: String, isSecure: Bool) throws {
        let proxies = [try #require(AddressRange("10.0.0.0/8"))]
        let peer = try #require(NetworkAddress("10.0.0.1"))
        let client = ForwardedClient(
            peer: peer, isSecure: false, headers: headers, trusting: proxies)
        #expect(client.address.description == address && client.isSecure == isSecure)

        let stranger = try #require(NetworkAddress("192.0.2.99"))
        let liar = ForwardedClient(
            peer: stranger, isSecure: false, headers: headers, trusting: proxies)
        #expect(
            liar == ForwardedClient(peer: stranger, isSecure: false, headers: [:], trusting: []))
    }
}

/// The head of an answer.
package struct TransportResponse: Sendable, Equatable {
    /// A header as it came, but for its name, which is in lower case.
    package struct Header: Sendable, Equatable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var status: Int
    package var headers: [Header]

    package init(status: Int, headers: [Header] = []) {
        self.status = status
        self.headers = headers
    }

    /// A header's first value; the name in lower case.
    package subscript(header name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// The body's type without its parameters, in lower case.
    package var mediaType: String? {
        guard let value = self[header: "content-type"] else { return nil }
        return value.prefix { $0 != ";" && $0 != " " }.lowercased()
    }
}

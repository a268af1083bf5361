/// An answer as it came over the wire.
package struct WireAnswer: Sendable {
    package let status: Int
    /// Names in lower case.
    package let fields: [(name: String, value: String)]
    package var body: [UInt8] = []

    /// A header's first value.
    package subscript(header name: String) -> String? {
        fields.first { $0.name == name.lowercased() }?.value
    }

    package var text: String { String(decoding: body, as: UTF8.self) }
}

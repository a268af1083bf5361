/// What comes so often, or so much at once, that it is read without Foundation's decoder where it is written as usual.
package protocol QuicklyRead: Decodable {
    /// Nil for what the decoder is to read instead, or to refuse.
    init?(quickly reader: inout JSONReader)
}

extension QuicklyRead {
    /// All of a text.
    package static func read(quickly bytes: [UInt8]) -> Self? {
        var reader = JSONReader(bytes)
        guard let value = Self(quickly: &reader), reader.isAtEnd() else { return nil }
        return value
    }
}

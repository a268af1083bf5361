/// What a `Range` header asks for, once the content's size is known.
package enum HTTPRangeRequest: Equatable, Sendable {
    /// No ranges, or none that we serve: 200 with the whole content.
    case whole
    /// 206: in the order that was asked for, except that those which overlap or touch are one. A single
    /// range goes out as it is, several as `multipart/byteranges`.
    case parts([HTTPByteRange])
    /// 416: there is nothing in what was asked for. `Content-Range: bytes */SIZE` tells why.
    case unsatisfiable

    /// A client that wants more parts than this at once is mistaken or hostile. It gets the whole
    /// content: that is always a right answer to a `Range`, and costs less than a thousand parts.
    package static let mostParts = 64

    /// - Parameter etag: of the present content, for `If-Range`.
    package init(_ headers: HTTPHeaders, size: Int64, etag: HTTPETag?) {
        let values = headers.all("Range")
        guard values.count == 1, Self.isWanted(headers, etag: etag) else {
            self = .whole
            return
        }
        self.init(values[0], size: size)
    }

    /// - Parameter text: the header's value. One that cannot be read counts as none, as HTTP asks.
    package init(_ text: String, size: Int64) {
        guard let specs = Self.specs(text) else {
            self = .whole
            return
        }
        let found = specs.compactMap { $0.resolved(size: size) }
        let merged = Self.merged(found)
        if found.isEmpty {
            self = .unsatisfiable
        } else if specs.count > Self.mostParts {
            self = .whole
        } else {
            self = .parts(merged)
        }
    }

    /// `If-Range`: the parts are of use only to who has the rest of the same content. A date never
    /// says that: two contents may bear the same one.
    private static func isWanted(_ headers: HTTPHeaders, etag: HTTPETag?) -> Bool {
        guard let condition = headers["If-Range"] else { return true }
        guard let etag, let tag = HTTPETagList.single(condition) else { return false }
        return etag.isSame(as: tag)
    }

    private enum Spec {
        case from(Int64, through: Int64)
        case last(Int64)

        /// nil where the range holds nothing of the content.
        func resolved(size: Int64) -> HTTPByteRange? {
            switch self {
            case .from(let first, let last):
                guard first < size else { return nil }
                return HTTPByteRange(offset: first, length: min(last, size - 1) - first + 1)
            case .last(let count):
                let length = min(count, size)
                return length > 0 ? HTTPByteRange(offset: size - length, length: length) : nil
            }
        }
    }

    private static func specs(_ text: String) -> [Spec]? {
        guard text.utf8.count > 6,
            zip(text.utf8, "bytes=".utf8).allSatisfy({ $0.asciiLowercased == $1 })
        else { return nil }
        var specs: [Spec] = []
        for part in text.utf8.dropFirst(6).split(separator: UInt8(ascii: ",")) {
            var part = part
            while let byte = part.first, byte == 0x20 || byte == 9 { part.removeFirst() }
            while let byte = part.last, byte == 0x20 || byte == 9 { part.removeLast() }
            if part.isEmpty { continue }
            guard let dash = part.firstIndex(of: UInt8(ascii: "-")) else { return nil }
            let first = part[..<dash]
            let last = part[part.index(after: dash)...]
            switch (number(first), number(last)) {
            case (let first?, let last?): specs.append(.from(first, through: last))
            case (let first?, nil) where last.isEmpty: specs.append(.from(first, through: .max))
            case (nil, let count?) where first.isEmpty: specs.append(.last(count))
            default: return nil
            }
            if case .from(let first, let last) = specs[specs.count - 1], last < first { return nil }
        }
        return specs.isEmpty ? nil : specs
    }

    /// Digits only; what is too large for a file's size means its end as well.
    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(Substring(digits)) ?? .max
    }

    private static func merged(_ ranges: [HTTPByteRange]) -> [HTTPByteRange] {
        // Each group of ranges that overlap or touch, at the place of the first that was asked for.
        var groups: [(place: Int, offset: Int64, end: Int64)] = []
        for (place, range) in ranges.enumerated().sorted(by: {
            $0.element.offset < $1.element.offset
        }) {
            if let last = groups.last, range.offset <= last.end {
                groups[groups.count - 1].end = max(last.end, range.end)
                groups[groups.count - 1].place = min(last.place, place)
            } else {
                groups.append((place, range.offset, range.end))
            }
        }
        return groups.sorted { $0.place < $1.place }.map {
            HTTPByteRange(offset: $0.offset, length: $0.end - $0.offset)
        }
    }
}

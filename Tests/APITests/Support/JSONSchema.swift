import BasketContent
import BasketSupport

/// As much of JSON Schema as the API's description uses. A keyword that is not known here is a
/// complaint too: what is not checked must not look as if it were.
struct JSONSchema {
    /// What `#/…` refers to.
    let document: JSON

    /// What is found about one value by one schema.
    fileprivate struct Verdict {
        var complaints: [String] = []
        /// The members that the schema, or one that it is made of, has something to say about.
        var described: Set<String> = []
        /// Whether it says anything about members at all.
        var isAboutMembers = false
    }

    /// Everything in the value that the schema does not allow, or says nothing about.
    ///
    /// Members that are not described are complained about although a client has to ignore them: what
    /// a server of ours sends and takes must be in its description.
    func complaints(about value: JSON, by schema: JSON, at place: String = "body") -> [String] {
        let verdict = verdict(on: value, by: schema, at: place)
        guard verdict.isAboutMembers else { return verdict.complaints }
        let unknown = Set(value.members.keys).subtracting(verdict.described).sorted()
        return verdict.complaints + unknown.map { "\(place).\($0) is not described" }
    }

    private func verdict(on value: JSON, by schema: JSON, at place: String) -> Verdict {
        var verdict = Verdict()
        for (keyword, rule) in schema.members.sorted(by: { $0.key < $1.key }) {
            switch keyword {
            case "description", "default", "example", "examples": break
            case "$ref":
                verdict.add(self.verdict(on: value, by: resolved(rule.text), at: place))
            case "allOf":
                for part in rule.elements {
                    verdict.add(self.verdict(on: value, by: part, at: place))
                }
            case "oneOf", "anyOf":
                verdict.add(choice(keyword, among: rule.elements, for: value, at: place))
            case "properties", "required", "additionalProperties":
                judgeMembers(value, keyword, rule, schema, place, &verdict)
            case "items":
                for (index, element) in value.elements.enumerated() {
                    verdict.complaints += complaints(
                        about: element, by: rule, at: "\(place)[\(index)]")
                }
            default:
                if let complaint = Self.complaint(about: value, keyword, rule) {
                    verdict.complaints.append("\(place) \(complaint)")
                }
            }
        }
        return verdict
    }

    private func choice(
        _ keyword: String, among schemas: [JSON], for value: JSON, at place: String
    ) -> Verdict {
        let verdicts = schemas.map { verdict(on: value, by: $0, at: place) }
        var result = Verdict()
        let fitting = verdicts.filter(\.complaints.isEmpty)
        for verdict in fitting { result.add(verdict) }
        if fitting.isEmpty {
            result.complaints.append("\(place) fits nothing of \(keyword): \(value)")
        } else if keyword == "oneOf", fitting.count > 1 {
            result.complaints.append("\(place) fits \(fitting.count) of oneOf")
        }
        return result
    }

    private func judgeMembers(
        _ value: JSON, _ keyword: String, _ rule: JSON, _ schema: JSON, _ place: String,
        _ verdict: inout Verdict
    ) {
        guard case .object(let members) = value else { return }
        verdict.isAboutMembers = true
        switch keyword {
        case "required":
            for name in rule.elements.map(\.text) where members[name] == nil {
                verdict.complaints.append("\(place).\(name) is missing")
            }
        case "properties":
            for (name, member) in members {
                guard let schema = rule.members[name] else { continue }
                verdict.described.insert(name)
                verdict.complaints += complaints(about: member, by: schema, at: "\(place).\(name)")
            }
        default:
            let others = members.filter { schema["properties"].members[$0.key] == nil }
            verdict.described.formUnion(others.keys)
            for (name, member) in others {
                if rule == false { verdict.complaints.append("\(place).\(name) is not allowed") }
                verdict.complaints += complaints(about: member, by: rule, at: "\(place).\(name)")
            }
        }
    }

    /// `#/components/schemas/Item`
    func resolved(_ reference: String) -> JSON {
        reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] }
    }

    /// The object behind a reference, or the object itself.
    func resolved(_ object: JSON) -> JSON {
        object["$ref"].isNull ? object : resolved(object["$ref"].text)
    }

    // MARK: Single keywords

    private static func complaint(about value: JSON, _ keyword: String, _ rule: JSON) -> String? {
        let isFine: Bool
        switch (keyword, value) {
        case ("type", _):
            let types = rule.elements.isEmpty ? [rule.text] : rule.elements.map(\.text)
            isFine = types.contains { value.isOf(type: $0) }
        case ("enum", _): isFine = rule.elements.contains(value)
        case ("const", _): isFine = value == rule
        case ("minimum", .integer(let number)): isFine = number >= rule.int ?? .min
        case ("maximum", .integer(let number)): isFine = number <= rule.int ?? .max
        case ("minLength", .string(let text)): isFine = text.unicodeScalars.count >= rule.int ?? 0
        case ("maxLength", .string(let text)): isFine = text.unicodeScalars.count <= rule.int ?? 0
        case ("maxItems", .array(let elements)): isFine = elements.count <= rule.int ?? 0
        case ("format", .string(let text)):
            isFine = rule == "date-time" && Timestamp(rfc3339: text) != nil
        case ("contentEncoding", .string(let text)):
            isFine = rule == "base64" && Base64.decode(text, .standard) != nil
        case ("pattern", .string(let text)):
            isFine = (try? Regex(rule.text)).map { text.firstMatch(of: $0) != nil } ?? false
        case ("minimum", _), ("maximum", _), ("minLength", _), ("maxLength", _), ("maxItems", _),
            ("format", _), ("contentEncoding", _), ("pattern", _):
            isFine = true  // About values of another type.
        default: return "is judged by “\(keyword)”, which is not known here"
        }
        return isFine ? nil : "breaks \(keyword) \(rule): \(value)"
    }
}

extension JSONSchema.Verdict {
    fileprivate mutating func add(_ other: Self) {
        complaints += other.complaints
        described.formUnion(other.described)
        isAboutMembers = isAboutMembers || other.isAboutMembers
    }
}

extension JSON {
    fileprivate func isOf(type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .integer: type == "integer" || type == "number"
        case .number: type == "number"
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }
}

/// Something that takes bytes from outside, and what must hold whatever they are. Reaching the end
/// is the first thing that must hold; a trap or a sanitizer's report is a finding too.
package protocol Fuzzer: SendableMetatype {
    /// Also the name of its folder in `Corpus`.
    static var name: String { get }
    /// Feeds the bytes to a parser; throws what should never be true.
    static func feed(_ bytes: [UInt8]) throws(FuzzFinding)
}

/// A property that did not hold.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Every fuzzer. `make fuzz` runs each, and the tests feed each what its corpus remembers.
package let fuzzers: [any Fuzzer.Type] = [
    AcceptEncodingFuzzer.self, ActivationRuleFuzzer.self, AnchorFuzzer.self, AnswerJSONFuzzer.self,
    CommandLineFuzzer.self, ConfigurationFileFuzzer.self, ControlRequestFuzzer.self,
    CredentialsFuzzer.self,
    DigestFuzzer.self, ETagListFuzzer.self, EventStreamFuzzer.self, ForwardedFuzzer.self,
    HTTPDateFuzzer.self, HeaderBlockFuzzer.self, IdentifierFuzzer.self, IgnoreListFuzzer.self,
    ItemNameFuzzer.self, ManifestFuzzer.self, NetworkAddressFuzzer.self,
    PageFuzzer.self, PasswordHashFuzzer.self, RFC3339Fuzzer.self, RangeFuzzer.self,
    RequestJSONFuzzer.self,
    RequestTargetFuzzer.self, SearchQueryFuzzer.self, ServiceRecordsFuzzer.self, SettingFuzzer.self,
    TextCodingFuzzer.self,
]

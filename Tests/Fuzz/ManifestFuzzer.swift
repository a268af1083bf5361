import BasketContent
import FoundationEssentials

/// Manifests in JSON: what is read keeps the rules, and is the same manifest when it is written.
enum ManifestFuzzer: Fuzzer {
    static let name = "manifest"

    static func feed(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes)) else {
            return  // Refused, in words.
        }
        let lengths = manifest.chunks.map { Int64($0.length) }
        guard lengths.allSatisfy({ $0 > 0 }), lengths.reduce(0, +) == manifest.size,
            lengths.dropLast().allSatisfy({ $0 >= Int64(Manifest.minimumChunkLength) }),
            lengths.allSatisfy({ $0 <= Int64(Manifest.maximumChunkLength) })
        else { throw FuzzFinding("\(manifest) breaks a rule") }
        guard let written = try? JSONEncoder().encode(manifest),
            let again = try? JSONDecoder().decode(Manifest.self, from: written), again == manifest
        else { throw FuzzFinding("\(manifest) is another one when it is written") }
    }
}

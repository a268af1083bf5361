import FileProvider
import FileProviderReplica
import Foundation
import Testing

@testable import FileProviderMount

@Suite("Permissions")
struct PermissionsTests {
    @Test(
        "are the same again when they have been flags and an attribute",
        arguments: [NodeKind.file, .folder],
        [0, 0o044, 0o055, 0o255, 0o444, 0o455, 0o644, 0o755, 0o7777])
    func roundTrip(kind: NodeKind, bits: UInt32) {
        var attributes = EntryAttributes.made(kind, at: nil)
        Permissions(bits).note(in: &attributes, kind)
        #expect(Permissions(of: attributes, kind) == Permissions(bits))
        // Who makes a folder, and says of no mode that it is so, wants to get into it.
        let isNamed = attributes.extended[EntryAttributes.modeAttribute] != nil
        #expect(isNamed || kind == .file || bits & 0o100 != 0)
    }
}

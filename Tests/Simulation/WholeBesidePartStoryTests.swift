import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("Somebody who reads a part of a file")
struct WholeBesidePartStoryTests {
    /// Shorter than what is fetched in parts: all of it comes in one answer, whatever else is on its way.
    @Test(
        "gets it where all of the file comes meanwhile for somebody else, whichever is here first",
        arguments: [0, 1, 3, 5, 7, 9])
    func whole(later: Int) throws {
        try Stage.play(inParts: true) { cloud, device in
            let text = "8 bytes."
            let id = try await device.create("a", in: .root, text)
            try await device.host.waitForRest()
            try await device.host.evict(id)
            let file = try await device.open(id, for: .reading, by: "pager")
            device.network.delay = .seconds(5)
            async let whole: Void = device.host.materialise(id)
            try await device.wait(seconds: later)
            // What is on its way from here on takes longer, or less long.
            device.network.delay = .seconds(later > 4 ? 1 : 8)
            #expect(try await file.read(at: 0, count: 4) == Array("8 by".utf8))
            try await whole
            #expect(try await file.read(at: 4, count: 4) == Array("tes.".utf8))
            #expect(try device.residence(of: id) == .whole)
            try await file.close()
        }
    }
}

import BasketSupport
import FileProvider
import FileProviderReplica
import Testing

@testable import FileProviderHost

@Suite("A date that a program gives a file")
struct DateStoryTests {
    @Test(
        "is that file's also when the system dies while that program has it open",
        arguments: [false, true], [false, true])
    func deadSystem(isWritten: Bool, isNew: Bool) throws {
        try Stage.play { _, device in
            let file: OpenFile
            if isNew {
                file = try await device.host.create("a", in: .root, by: Program(name: "archiver"))
            } else {
                let known = try await device.create("a", in: .root, "a text")
                try await device.host.waitForRest()
                file = try await device.open(known, for: .writing)
                try await file.resize(to: 0)
            }
            let id = file.node
            if isWritten { try await file.write(Array("the text".utf8), at: 0) }
            let date = Timestamp(nanoseconds: 1_000_000_000)
            try await device.host.setAttributes(of: id, isDated: true) { $0.modified = date }
            try await device.wait(seconds: 1)
            device.kill()
            try await device.start()
            try await device.host.waitForRest()
            let found = try device.nodes()[0].node.trees.local?.attributes.modified
            #expect(found == date)
        }
    }
}

import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc
import Synchronization
import Testing

@Suite("A program that goes on with a tree while that is imported")
struct ImportWriterTests {
    private static let record = DomainRecord(identifier: .init("work"), displayName: "Work")

    private static let tree = ["a": "first", "folder": "/", "folder/b": "second"]

    private static func fill(_ machine: Machine) throws -> String {
        let source = machine.folder + "/tree/mine"
        for (path, text) in tree where text != "/" {
            try machine.put(text, at: "\(source)/\(path)")
        }
        return source
    }

    private static func append(_ text: String, to file: any ChangeableFile) throws {
        try file.write(Array(text.utf8), at: file.size())
    }

    private static func isBegunWith(_ text: String, _ path: String, _ machine: Machine) -> Bool {
        (try? machine.files.contents(of: path).starts(with: Array(text.utf8))) == true
    }

    @Test("and has had a file open writes to the same one as others who come to it later")
    func sharedFile() throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let log = try machine.files.openToChange(source + "/folder/b")
            let isOpen = Mutex(true)
            machine.mishap.refuse { operation, path in
                operation == .write && isOpen.withLock { $0 }
                    && Self.isBegunWith("second", path, machine) ? EBUSY : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(30))
            let other = try await machine.host("work").open(
                machine.node("folder/b"), for: .writing, by: Program(name: "shell"))
            try await other.append(Array(", third".utf8))
            try Self.append(", fourth", to: log)
            try await other.append(Array(", fifth".utf8))
            try await other.close()
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree()["folder/b"] == nil)
            try Self.append(", sixth", to: log)
            isOpen.withLock { $0 = false }
            try await machine.host("work").waitForRest()
            let text = "second, third, fourth, fifth, sixth"
            #expect(machine.cloud("work").tree()["folder/b"] == text)
            #expect(try await machine.read("folder/b") == text)

            // What was sent stays as it is.
            try await machine.rewrite("folder/b", "another text")
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree()["folder/b"] == "another text")
        }
    }

    @Test(
        "is waited for, also when the database is lost meanwhile, or its journal as well",
        arguments: [false, true])
    func lostDatabase(isAll: Bool) throws {
        try Machine.play { machine in
            let source = try Self.fill(machine)
            let log = try machine.files.openToChange(source + "/folder/b")
            let isOpen = Mutex(true)
            machine.mishap.refuse { operation, path in
                operation == .write && isOpen.withLock { $0 }
                    && Self.isBegunWith("second", path, machine) ? EBUSY : nil
            }
            try await machine.registry.importDomain(Self.record, from: source)
            try await machine.executor.sleep(.seconds(30))
            machine.kill()
            try machine.loseDatabase(of: "work", isAll: isAll)
            try await machine.start()
            try await machine.executor.sleep(.seconds(100))
            #expect(machine.cloud("work").tree()["folder/b"] == nil)
            try Self.append(", third", to: log)
            isOpen.withLock { $0 = false }
            try await machine.host("work").waitForRest()
            #expect(machine.cloud("work").tree()["folder/b"] == "second, third")
        }
    }
}

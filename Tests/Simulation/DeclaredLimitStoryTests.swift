import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Testing

@Suite("An extension's limits")
struct DeclaredLimitStoryTests {
    private static func declaration(_ values: [String: Any]) -> ExtensionDeclaration {
        ExtensionDeclaration(values)
    }

    @Test("are kept, and used up, for each kind of call", arguments: [1, 3, nil, 40])
    func depths(depth: Int?) throws {
        var values: [String: Any] = [:]
        for kind in ["Download", "Upload", "MetadataOnlyUpload"] {
            values["NSExtensionFileProvider\(kind)PipelineDepth"] = depth
        }
        var settings = HostSettings()
        // Short and long ones, those that somebody waits for, and those that come in parts.
        settings.smallContent = 10
        settings.partLength = 32
        settings.partAlignment = 4
        settings.shortLength = 24
        let texts = ["short", "rather longer", String(repeating: "a very long text ", count: 4)]
        try Stage.play(settings: settings, declaring: Self.declaration(values)) { cloud, device in
            func most(_ kind: String) -> Int { device.network.companion.takeMost(of: kind) }
            device.network.delay = .seconds(1)
            var files: [NodeID] = []
            for number in 0..<60 {
                files.append(
                    try await device.create("\(number)", in: .root, texts[number % texts.count]))
            }
            for number in 0..<60 {
                try await device.makeFolder("folder \(number)", in: .root)
            }
            try await device.host.waitForRest()
            let (uploads, changes) = (most("upload"), most("metadata"))
            for file in files { try await device.host.evict(file) }
            _ = most("download")
            for file in files.prefix(30) {
                try await device.manager.requestDownloadForItem(
                    withIdentifier: device.identifier(of: file))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, file) in files.enumerated().reversed() {
                    group.addTask {
                        let text = try await device.text(of: file)
                        #expect(text == texts[index % texts.count])
                    }
                }
                try await group.waitForAll()
            }
            let downloads = most("download")
            if let depth {
                #expect(uploads == depth && changes == depth && downloads == depth)
            } else {
                #expect(uploads > 20 && changes > 20 && downloads > 20)
            }
        }
    }

    @Test(
        "hold for programs for which the extension has nothing brought here, beside the usual ones")
    func programs() throws {
        let declaration = Self.declaration([
            "NSFileProviderExtensionNonMaterializingProcessNames": ["scanner-of-everything"]
        ])
        try Stage.play(declaring: declaration) { cloud, device in
            let id = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            try await device.host.evict(id)
            for program in ["scanner-of-ever", "baloo_file"] {
                let file = try await device.open(id, for: .reading, by: program)
                await #expect(throws: LocalError.dataless) {
                    try await file.read(at: 0, count: 4)
                }
                try await file.close()
            }
            let file = try await device.open(id, for: .reading, by: "scanner")
            #expect(try await file.read(at: 0, count: 4) == Array("text".utf8))
            try await file.close()
        }
    }

    @Test("may be that nobody has bytes go but itself and the system")
    func eviction() throws {
        let declaration = Self.declaration(
            ["NSExtensionFileProviderAllowsUserControlledEviction": false])
        try Stage.play(declaring: declaration) { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            var request = ControlRequest(.evict)
            request.items = [ControlItem(path: "a")]
            let refusal = await #expect(throws: ControlError.self) {
                let _: ControlDone = try await device.ask(request)
            }
            #expect(refusal?.code == .notSupported)
            #expect(try device.residence(of: file) == .whole)
            try await device.host.evict(file)
            #expect(try device.residence(of: file) == .dataless)
        }
    }
}

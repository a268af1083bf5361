import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("The system of a domain")
struct SystemStoryTests {
    private static let work = NSFileProviderDomainIdentifier("Work")

    // MARK: Progress

    @Test("shows how far uploads have come, in bytes and files, and begins anew when all are done")
    func uploads() throws {
        try Stage.play { _, device in
            try await device.host.waitForRest()
            let progress = device.system.globalProgress(for: .uploading, in: Self.work)
            #expect(progress.fileOperationKind == .uploading)
            #expect(progress.isFinished && progress.totalUnitCount == 1)
            let first = try await device.create("first", in: .root, "")
            let second = try await device.create("second", in: .root, "")
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            device.network.delay = .seconds(50)
            device.network.reportsEvery = .seconds(1)
            try await device.write(String(repeating: "a", count: 1000), to: first)
            try await device.wait(seconds: 50)
            #expect(progress.totalUnitCount == 1000)
            #expect((450...520).contains(progress.completedUnitCount))
            #expect(progress.fileTotalCount == 1 && progress.fileCompletedCount == 0)

            try await device.write(String(repeating: "b", count: 3000), to: second)
            try await device.wait(seconds: 75)
            // The first one is through.
            #expect(progress.totalUnitCount == 4000)
            #expect((3000...3400).contains(progress.completedUnitCount))
            #expect(progress.fileTotalCount == 2 && progress.fileCompletedCount == 1)
            #expect(device.host.totals(of: .uploading).bytes == 4000)
            #expect(device.host.totals(of: .downloading) == TransferTotals())
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            #expect(progress.isFinished && progress.totalUnitCount == 1)
            #expect(progress.fileTotalCount == 0)
        }
    }

    @Test("does not count what has failed, while others go on")
    func failedUploads() throws {
        try Stage.play { _, device in
            let first = try await device.create("first", in: .root, "text")
            let second = try await device.create("second", in: .root, "text")
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            let progress = device.system.globalProgress(for: .uploading, in: Self.work)
            device.network.delay = .seconds(50)
            device.network.reportsEvery = .seconds(1)
            try await device.write(String(repeating: "a", count: 1000), to: first)
            try await device.wait(seconds: 30)
            try await device.write(String(repeating: "b", count: 3000), to: second)
            device.network.isCut = true
            try await device.wait(seconds: 25)
            #expect(progress.totalUnitCount == 3000)
            #expect(progress.completedUnitCount < 1000)
            #expect(progress.fileTotalCount == 1)
        }
    }

    @Test("counts the parts of a download as one file")
    func downloads() throws {
        try Stage.play(inParts: true) { _, device in
            let file = try await device.create(
                "a", in: .root, String(repeating: "a", count: 40))
            try await device.host.waitForRest()
            try await device.host.evict(file)
            let progress = device.system.globalProgress(for: .downloading, in: Self.work)
            device.network.delay = .seconds(5)
            let system = device.system
            try await withCheckedThrowingContinuation { done in
                system.requestDownload(
                    of: NSFileProviderItemIdentifier("item1"), range: nil, in: Self.work
                ) { error in done.resume(with: error.map { .failure($0) } ?? .success(())) }
            }
            // Eight bytes come in ten seconds.
            try await device.wait(seconds: 35)
            #expect((16...32).contains(progress.completedUnitCount))
            #expect(progress.totalUnitCount == progress.completedUnitCount + 8)
            #expect(progress.fileTotalCount == 1 && progress.fileCompletedCount == 0)
            try await device.wait(seconds: 60)
            #expect(try device.residence(of: file) == .whole)
            #expect(progress.isFinished && progress.totalUnitCount == 1)
        }
    }

    @Test("shows a progress on an item, in place of what its call says, until it ends")
    func registered() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "a text")
            let other = try await device.create("b", in: .root, "a text")
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            let item = try device.identifier(of: file)
            let all = device.system.globalProgress(for: .uploading, in: Self.work)
            device.network.delay = .seconds(20)
            try await device.write(String(repeating: "a", count: 1000), to: file)
            try await device.write(String(repeating: "b", count: 50), to: other)
            try await device.wait(seconds: 10)
            #expect(all.totalUnitCount == 1050)

            let progress = SharedProgress(totalUnitCount: 200)
            progress.completedUnitCount = 150
            try await device.manager.register(progress, forItemWithIdentifier: item)
            try await device.wait(seconds: 1)
            #expect(all.totalUnitCount == 250 && all.completedUnitCount == 150)
            #expect(all.fileTotalCount == 2)
            let shown = try device.host.transfers(of: file)
            #expect(shown.map(\.kind) == [.uploading])
            #expect(shown.map(\.bytes) == [200] && shown.map(\.completedBytes) == [150])
            // There is one for each item.
            let next = SharedProgress(totalUnitCount: 400)
            try await device.manager.register(next, forItemWithIdentifier: item)
            #expect(try device.host.transfers(of: file).map(\.bytes) == [400])

            try await device.host.waitForRest()
            #expect(try device.host.transfers(of: file) == [])
            try await device.wait(seconds: 10)
            #expect(all.isFinished && all.totalUnitCount == 1)
        }
    }

    @Test("shows a progress of no call until it has finished, is cancelled, or is given up")
    func registeredAlone() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "a text")
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            let item = try device.identifier(of: file)
            func register() async throws -> SharedProgress {
                let progress = SharedProgress(totalUnitCount: 200)
                try await device.manager.register(progress, forItemWithIdentifier: item)
                #expect(device.host.totals(of: .downloading).bytes == 200)
                return progress
            }

            let first = try await register()
            first.completedUnitCount = 200
            #expect(device.host.totals(of: .downloading).completedFiles == 1)
            try await device.wait(seconds: 10)
            #expect(device.host.totals(of: .downloading) == TransferTotals())
            let second = try await register()
            second.cancel()
            #expect(device.host.totals(of: .downloading) == TransferTotals())
            _ = try await register()
            #expect(device.host.totals(of: .downloading) == TransferTotals())

            await #expect(throws: (any Error).self) {
                try await device.manager.register(
                    first, forItemWithIdentifier: .init("nobody knows it"))
            }
        }
    }

    // MARK: Reports

    @Test("writes down what is known of an item, and keeps no more than some of that")
    func reports() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "a text")
            try await device.host.waitForRest()
            let item = try device.identifier(of: file)
            let folder = device.folder + "/diagnostics"
            for _ in 0..<30 {
                try await device.manager.requestDiagnosticCollection(
                    for: item, errorReason: CocoaError(.fileReadCorruptFile))
                try await device.wait(seconds: 1)
            }
            let names = try device.disk.list(folder)
            #expect(names.count == 20)
            let last = try #require(names.last)
            let text = String(
                decoding: try device.disk.contents(of: "\(folder)/\(last)"), as: UTF8.self)
            #expect(text.contains("\"item\" : \"\(item.rawValue)\""))
            #expect(text.contains("NSCocoaErrorDomain"))
            #expect(text.contains("\"residence\" : \"whole\""))
            #expect(!text.contains("a text"))
        }
    }

    // MARK: Calls that stand still

    @Test("gives up a call that stands still, and makes it again: nothing is there twice")
    func stalledCreation() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.delay = .seconds(4000)
            let file = try await device.create("a", in: .root, "the first text")
            try await device.wait(seconds: 365)
            let trouble = try device.replica.read { try $0.trouble(of: file) }
            #expect(trouble?.domain == NSFileProviderErrorDomain)
            #expect(trouble?.code == NSFileProviderError.Code.serverUnreachable.rawValue)

            device.network.delay = .zero
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
            // Whoever was given up comes on all the same, hours later.
            try await device.wait(seconds: 20_000)
            try await device.host.waitForRest()
            #expect(cloud.tree() == ["a": "the first text"])
            #expect(try await device.text(of: file) == "the first text")
        }
    }

    @Test("keeps for a call that it has given up what that was handed")
    func stalledContents() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(4000)
            try await device.write("the second text", to: file)
            try await device.wait(seconds: 320)
            #expect(try device.replica.read { try $0.trouble(of: file) } != nil)
            let handed = try #require(try device.replica.read { try $0.node(file)?.file })
            try await device.write("the third text", to: file)
            #expect(try device.replica.read { try $0.node(file)?.file } != handed)
            try await device.wait(seconds: 100)
            #expect(device.replica.contents.exists(handed))

            device.network.delay = .zero
            try await device.host.waitForRest()
            #expect(cloud.tree()["a"] == "the third text")
            try await device.wait(seconds: 20_000)
            #expect(!device.replica.contents.exists(handed))
        }
    }

    @Test("lets a call take its time for as long as its progress moves")
    func slowCall() throws {
        try Stage.play { cloud, device in
            try await device.host.waitForRest()
            device.network.delay = .seconds(4000)
            device.network.reportsEvery = .seconds(200)
            let file = try await device.create("a", in: .root, "the first text")
            try await device.wait(seconds: 7990)
            #expect(try device.replica.read { try $0.trouble(of: file) } == nil)
            device.network.delay = .zero
            try await device.host.waitForRest()
            #expect(device.network.created == 1)
            #expect(cloud.tree() == ["a": "the first text"])
        }
    }

    @Test("follows the provider again when an enumeration has come to nothing")
    func stalledEnumeration() throws {
        try Stage.play { cloud, device in
            let file = try await device.create("a", in: .root, "the first text")
            try await device.host.waitForRest()
            device.network.delay = .seconds(100_000)
            cloud.rename("a", to: "b")
            try await device.wait(seconds: 100)
            device.network.delay = .zero
            #expect(try !device.host.isAtRest())
            try await device.wait(seconds: 300)
            #expect(try device.host.isAtRest())
            #expect(try device.nodes().map(\.path) == ["b"])
            #expect(try device.nodes().map(\.node.id) == [file])
        }
    }
}

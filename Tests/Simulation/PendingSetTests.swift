import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Testing

@Suite("The sets of a domain")
struct PendingSetTests {
    private static let work = NSFileProviderDomainIdentifier("Work")

    private static func materialised(_ device: Device) -> any NSFileProviderEnumerator {
        device.system.enumeratorForMaterializedItems(in: work)
    }

    private static func pending(_ device: Device) -> any NSFileProviderPendingSetEnumerator {
        device.system.enumeratorForPendingItems(in: work)
    }

    // MARK: What is materialised

    @Test("hold what is here, by pages of any size")
    func materialised() throws {
        try Stage.play { _, device in
            let folder = try await device.makeFolder("folder", in: .root)
            for number in 0..<9 {
                _ = try await device.create("\(number)", in: folder, "text \(number)")
            }
            let away = try await device.create("away", in: .root, "text")
            try await device.host.waitForRest()
            try await device.host.evict(away)
            let names = (0..<9).map { "\($0)" } + ["folder"]
            for size in [1, 2, 5, 11, 500] {
                let found = try SetListener.names(of: Self.materialised(device), by: size)
                #expect(found.filter { !$0.hasPrefix("NSFile") }.sorted() == names)
            }
        }
    }

    @Test("tell what has come here and gone from here since an anchor, and nothing else")
    func materialisedChanges() throws {
        try Stage.play { cloud, device in
            let first = try await device.create("first", in: .root, "text")
            let second = try await device.create("second", in: .root, "text")
            try await device.host.waitForRest()
            let set = Self.materialised(device)
            var anchor = try #require(await set.currentSyncAnchor())
            #expect(try SetListener.changes(of: set, from: &anchor) == ([], 0))

            try await device.host.evict(first)
            try await device.host.evict(second)
            #expect(try SetListener.changes(of: set, from: &anchor, by: 1) == ([], 2))
            _ = try await device.text(of: first)
            _ = try await device.create("third", in: .root, "text")
            try await device.remove(second)
            try await device.host.waitForRest()
            #expect(
                try SetListener.changes(of: set, from: &anchor, by: 1) == (["first", "third"], 0))
            try await device.remove(first)
            cloud.rename("third", to: "fourth")
            try await device.host.waitForRest()
            #expect(try SetListener.changes(of: set, from: &anchor) == ([], 1))
            #expect(try SetListener.changes(of: set, from: &anchor) == ([], 0))
        }
    }

    @Test("have anchors that are those of this replica alone, and outlive its process")
    func anchors() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            var anchor = try #require(await Self.materialised(device).currentSyncAnchor())
            await device.stop()
            try await device.start()
            try await device.host.evict(file)
            #expect(
                try SetListener.changes(of: Self.materialised(device), from: &anchor) == ([], 1))
            var foreign = anchor.rawValue
            foreign[foreign.startIndex] ^= 1
            for strange in [Data(), Data("strange".utf8), foreign] {
                var anchor = NSFileProviderSyncAnchor(strange)
                let error = #expect(throws: (any Error).self) {
                    try SetListener.changes(of: Self.materialised(device), from: &anchor)
                }
                #expect(error.map { NSFileProviderError.syncAnchorExpired ~= $0 } == true)
            }
        }
    }

    @Test("expire when everything is told anew")
    func expiry() throws {
        try Stage.play { _, device in
            _ = try await device.makeFolder("folder", in: .root)
            try await device.host.waitForRest()
            var anchor = try #require(await Self.materialised(device).currentSyncAnchor())
            let folder = try await device.makeFolder("another", in: .root)
            try await device.host.waitForRest()
            try await device.replica.write { transaction in
                try transaction.beginAnew()
                try transaction.update(folder) { $0.isListed = false }
            }
            device.host.signal()
            try await device.wait(seconds: 5)
            try await device.host.waitForRest()
            let error = #expect(throws: (any Error).self) {
                try SetListener.changes(of: Self.materialised(device), from: &anchor)
            }
            #expect(error.map { NSFileProviderError.syncAnchorExpired ~= $0 } == true)
            let names = try SetListener.names(of: Self.materialised(device))
            #expect(names.contains("folder") && names.contains("another"))
        }
    }

    @Test("are told of together, however much happens within a moment")
    func notices() throws {
        try Stage.play { _, device in
            var files: [NodeID] = []
            for number in 0..<40 {
                files.append(try await device.create("\(number)", in: .root, "text \(number)"))
            }
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            let before = device.network.told["materialised"] ?? 0
            for file in files { try await device.host.evict(file) }
            try await device.wait(seconds: 10)
            let after = device.network.told["materialised"] ?? 0
            #expect((1...2).contains(after - before))
            // Nothing has changed since then, whatever else is done.
            try await device.tag(files[0], 7)
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            #expect(device.network.told["materialised"] == after)
        }
    }

    @Test("are told of after a crash, if nobody was told before it")
    func noticeAfterCrash() throws {
        try Stage.play { _, device in
            let file = try await device.create("a", in: .root, "text")
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            let before = device.network.told["materialised"] ?? 0
            try await device.host.evict(file)
            device.kill()
            try await device.start()
            try await device.wait(seconds: 10)
            #expect(device.network.told["materialised"] == before + 1)
            await device.stop()
            try await device.start()
            try await device.wait(seconds: 10)
            #expect(device.network.told["materialised"] == before + 1)
        }
    }

    // MARK: What is pending

    @Test("hold what waits for longer than a moment, with why, until it waits no more")
    func pending() throws {
        try Stage.play { _, device in
            let file = try await device.create("known", in: .root, "the first text")
            try await device.host.waitForRest()
            let set = Self.pending(device)
            #expect(set.refreshInterval == 2)
            #expect(set.domainVersion == nil)
            #expect(!set.isMaximumSizeReached)
            var anchor = try #require(await set.currentSyncAnchor())
            try await device.write("the second text", to: file)
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            // What is done at once was never in it.
            #expect(try SetListener.changes(of: set, from: &anchor) == ([], 0))
            #expect(device.network.told["pending"] == nil)

            device.network.isCut = true
            try await device.write("the third text", to: file)
            // The provider has never heard of this one.
            _ = try await device.create("new", in: .root, "text")
            try await device.wait(seconds: 3)
            #expect(try SetListener.names(of: set).isEmpty)
            try await device.wait(seconds: 7)
            let items = try SetListener.items(of: set)
            #expect(items.map(\.filename) == ["known"])
            let error = try #require(items.first?.uploadingError ?? nil)
            #expect(NSFileProviderError.serverUnreachable ~= error)
            #expect(items.first?.downloadingError ?? nil == nil)
            #expect(try SetListener.changes(of: set, from: &anchor) == (["known"], 0))
            #expect(device.network.told["pending"] == 1)

            try await device.wait(seconds: 1000)
            #expect(device.network.told["pending"] == 1)
            device.reconnect()
            try await device.host.waitForRest()
            try await device.wait(seconds: 5)
            #expect(try SetListener.names(of: set).isEmpty)
            #expect(try SetListener.changes(of: set, from: &anchor) == ([], 1))
            #expect(device.network.told["pending"] == 2)
        }
    }

    @Test("tell of what is to be deleted, and of what the system itself cannot do")
    func pendingOthers() throws {
        try Stage.play { _, device in
            let file = try await device.create("gone", in: .root, "text")
            let broken = try await device.create("broken", in: .root, "text")
            try await device.host.waitForRest()
            device.network.isCut = true
            try await device.remove(file)
            try await device.tag(broken, 1)
            try await device.replica.write { transaction in
                try transaction.setAside(
                    broken, "it makes no sense", until: transaction.now + .seconds(500))
            }
            try await device.wait(seconds: 10)
            let items = try SetListener.items(of: Self.pending(device))
            #expect(Set(items.map(\.filename)) == ["gone", "broken"])
            let other = try #require(items.first { $0.filename == "broken" })
            #expect(other.uploadingError ?? nil == nil)
            #expect((other.downloadingError ?? nil)?.localizedDescription == "it makes no sense")
        }
    }

    @Test("hold no more than so much, say so, and take others in when there is room")
    func size() throws {
        var settings = HostSettings()
        settings.pendingLimit = 3
        try Stage.play(settings: settings) { _, device in
            var files: [NodeID] = []
            for number in 0..<5 {
                files.append(try await device.create("\(number)", in: .root, "text"))
            }
            try await device.host.waitForRest()
            device.network.isCut = true
            for (number, file) in files.enumerated() {
                try await device.write("another text \(number)", to: file)
            }
            try await device.wait(seconds: 10)
            let set = Self.pending(device)
            #expect(try SetListener.names(of: set, by: 2) == ["0", "1", "2"])
            #expect(set.isMaximumSizeReached)
            let second = files[1]
            // Both sides agree again.
            _ = try await device.replica.write { transaction in
                try transaction.update(second) { $0.trees.local = $0.trees.synced }
            }
            try await device.wait(seconds: 10)
            #expect(try SetListener.names(of: set, by: 2) == ["0", "2", "3"])
            #expect(set.isMaximumSizeReached)
            device.reconnect()
            try await device.host.waitForRest()
            try await device.wait(seconds: 10)
            #expect(try SetListener.names(of: set).isEmpty)
            #expect(!set.isMaximumSizeReached)
        }
    }
}

import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Synchronization
import Testing

@Suite("A machine's domains")
struct DomainStoryTests {
    private static func record(_ identifier: String, _ name: String? = nil) -> DomainRecord {
        DomainRecord(
            identifier: NSFileProviderDomainIdentifier(identifier), displayName: name ?? identifier)
    }

    private static func code(_ error: (any Error)?) -> NSFileProviderError.Code? {
        error.flatMap { NSFileProviderError(bridging: $0)?.code }
    }

    @Test("are there after a restart, each with all that was said of it and all that is in it")
    func restart() throws {
        try Machine.play { machine in
            var record = Self.record("work", "My Work")
            record.isHidden = true
            record.supportsSyncingTrash = false
            record.userInfo = DomainUserInfo(entries: [
                "text": .text("a"), "number": .integer(3),
                "date": .date(Date(timeIntervalSince1970: 1)),
                "data": .data(Data([1, 2])), "flag": .flag(true), "real": .real(0.5),
            ])
            try await machine.registry.add(record)
            try await machine.registry.add(Self.record(".home%"))
            _ = try await machine.host("work").make("folder", in: .root, kind: .folder)
            try await machine.host("work").waitForRest()
            machine.kill()
            try await machine.start()

            let records = machine.registry.records()
            #expect(records.map(\.identifier.rawValue) == [".home%", "work"])
            let stored = try #require(records.last)
            #expect(stored.isHidden && !stored.supportsSyncingTrash && stored.userEnabled)
            #expect(stored.userInfo == record.userInfo)
            #expect(stored.backingStoreIdentity != nil)
            #expect(machine.cloud("work").tree() == ["folder": "/"])
            #expect(try machine.tree(at: machine.places) == ["My Work": "/", ".home%": "/"])
            #expect(machine.hosted(".home%") != nil)
        }
    }

    @Test("are brought up to date by who adds them again, but for what cannot be taken back")
    func update() throws {
        try Machine.play { machine in
            var record = Self.record("work", "Work")
            record.testingModes = [.interactive, .alwaysEnabled]
            try await machine.registry.add(record)
            try await machine.registry.add(Self.record("other", "Other"))
            var again = Self.record("work", "Job")
            again.isHidden = true
            try await machine.registry.add(again)
            let stored = try #require(machine.registry.records().last)
            #expect(stored.displayName == "Job" && stored.isHidden)
            #expect(stored.testingModes == .interactive)
            #expect(try machine.tree(at: machine.places) == ["Job": "/", "Other": "/"])
            #expect(machine.hosted("work") != nil)
        }
    }

    @Test("lie on the volume on which all of them lie, and on no other")
    func volumes() throws {
        try Machine.play { machine in
            let elsewhere = URL(fileURLWithPath: "/proc")
            let here = URL(fileURLWithPath: machine.places)
            #expect(try machine.registry.eligibility(ofVolumeAt: here) == .eligible)
            #expect(
                try machine.registry.eligibility(ofVolumeAt: elsewhere) == .ineligible(.unknown))
            #expect(throws: (any Error).self) {
                _ = try machine.registry.eligibility(
                    ofVolumeAt: here.appendingPathComponent("none"))
            }
            var record = Self.record("work")
            record.volumeURL = elsewhere
            let stray = record
            let refused = await #expect(throws: CocoaError.self) {
                try await machine.registry.add(stray)
            }
            #expect(refused?.code == .featureUnsupported)
            #expect(machine.registry.records().isEmpty)
            record.volumeURL = here
            try await machine.registry.add(record)
            #expect(machine.registry.records().first?.volumeURL == here)
        }
    }

    @Test("get no place that somebody has already")
    func takenPlaces() throws {
        try Machine.play { machine in
            try machine.put("text", at: machine.places + "/Work/mine")
            try await machine.registry.add(Self.record("a", "Home"))
            for (identifier, name) in [("b", "Work"), ("b", "Home"), ("a", "Work")] {
                let error = await #expect(throws: CocoaError.self) {
                    try await machine.registry.add(Self.record(identifier, name))
                }
                #expect(error?.code == .fileWriteFileExists)
            }
            #expect(machine.registry.records().map(\.displayName) == ["Home"])
            #expect(try machine.tree(at: machine.places + "/Work") == ["mine": "text"])
            try await machine.registry.add(Self.record("b", "Back"))
            #expect(machine.registry.records().count == 2)
        }
    }

    @Test("keep nobody from the others when the record of one cannot be read; and that stays")
    func unreadable() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record("good"))
            try await machine.registry.add(Self.record("bad"))
            machine.kill()
            let path = machine.registryFolder + "/bad/domain.json"
            for path in [path, path + ".copy"] where machine.files.exists(path) {
                try machine.files.remove(path)
                try machine.put("{\"form\": 99}", at: path)
            }
            try await machine.start()

            #expect(machine.registry.records().map(\.identifier.rawValue) == ["good"])
            #expect(machine.registry.unavailable.keys.map(\.rawValue) == ["bad"])
            #expect(machine.hosted("good") != nil && machine.hosted("bad") == nil)
            let adding = await #expect(throws: (any Error).self) {
                try await machine.registry.add(Self.record("bad", "new name"))
            }
            #expect(Self.code(adding) == .providerDomainTemporarilyUnavailable)
            let removing = await #expect(throws: (any Error).self) {
                _ = try await machine.registry.remove(
                    NSFileProviderDomainIdentifier("bad"), mode: .removeAll)
            }
            #expect(Self.code(removing) == .providerDomainTemporarilyUnavailable)
            #expect(try machine.files.contents(of: path) == Array("{\"form\": 99}".utf8))
            #expect(machine.files.exists(machine.registryFolder + "/bad/replica/replica.db"))
        }
    }

    @Test(
        "are known by a second record where the first one is damaged or gone",
        arguments: ["{\"form", "\0\0\0\0", nil])
    func damaged(record: String?) throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record("work", "Work"))
            machine.kill()
            let path = machine.registryFolder + "/work/domain.json"
            try machine.files.remove(path)
            if let record { try machine.put(record, at: path) }
            try await machine.start()
            #expect(machine.registry.records().map(\.displayName) == ["Work"])
            #expect(machine.hosted("work") != nil)

            _ = try await machine.registry.remove(
                NSFileProviderDomainIdentifier("work"), mode: .removeAll)
            machine.kill()
            try await machine.start()
            #expect(machine.registry.records().isEmpty)
            #expect(!machine.files.exists(machine.registryFolder + "/work"))
        }
    }

    @Test("answer nobody while their person has them switched off")
    func disabled() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record("work"))
            let work = NSFileProviderDomainIdentifier("work")
            try await machine.registry.setEnabled(false, work)
            #expect(machine.hosted("work") == nil)
            machine.kill()
            try await machine.start()
            #expect(machine.hosted("work") == nil)
            let domain = try #require(try await machine.domains().first)
            #expect(!domain.userEnabled)
            let manager = try #require(NSFileProviderManager(for: domain))
            let error = await #expect(throws: (any Error).self) {
                try await manager.waitForStabilization()
            }
            #expect(Self.code(error) == .domainDisabled)
            try await machine.registry.setEnabled(true, work)
            try await manager.waitForStabilization()
            let unknown = NSFileProviderDomain(
                record: Self.record("nobody"), system: machine.registry)
            let missing = await #expect(throws: (any Error).self) {
                try await NSFileProviderManager(for: unknown)?.waitForStabilization()
            }
            #expect(Self.code(missing) == .providerDomainNotFound)
        }
    }

    @Test("are tried again when nobody could host them, and only then")
    func hostedLater() throws {
        try Machine.play { machine in
            for name in ["one", "other"] { try await machine.registry.add(Self.record(name)) }
            try await machine.registry.setEnabled(false, .init("other"))
            machine.kill()
            machine.isBroken = true
            try await machine.start()
            #expect(machine.registry.failure(of: .init("one")) != nil)
            await machine.registry.startFailed()
            #expect(machine.registry.failure(of: .init("one")) != nil)

            machine.isBroken = false
            await machine.registry.startFailed()
            #expect(machine.registry.failure(of: .init("one")) == nil)
            #expect(machine.hosted("one") != nil)
            #expect(machine.hosted("other") == nil)
        }
    }

    @Test("say whether they are disconnected, and by what their knowledge is known")
    func replicaFacts() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record("work"))
            let before = try #require(try await machine.domains().first)
            #expect(!before.isDisconnected)
            let manager = try #require(NSFileProviderManager(for: before))
            try await manager.waitForStabilization()
            try await manager.reimportItems(below: .rootContainer)
            try await manager.disconnect(reason: "a test")
            let after = try #require(try await machine.domains().first)
            #expect(after.isDisconnected)
            #expect(after.backingStoreIdentity != before.backingStoreIdentity)
        }
    }

    @Test("tell of changes only those who have asked for them")
    func notifications() throws {
        try Machine.play { machine in
            try await machine.registry.add(Self.record("a"))
            #expect(machine.posts == 0)
            _ = try await machine.domains()
            try await machine.registry.add(Self.record("b"))
            #expect(machine.posts == 1)
            _ = try await machine.registry.remove(.init("b"), mode: .removeAll)
            #expect(machine.posts == 2)
            try await machine.registry.setEnabled(false, .init("a"))
            #expect(machine.posts == 3)
        }
    }

    @Test(
        "tell of their sets only those who have asked for the domains, also while the extension cannot be"
    )
    func setNotifications() throws {
        try Machine.play { machine in
            for name in ["a", "b"] { try await machine.registry.add(Self.record(name)) }
            let sets: [Notification.Name] = [
                .fileProviderMaterializedSetDidChange, .fileProviderPendingSetDidChange,
            ]
            let host = try machine.host("a")
            func work(_ name: String) async throws -> NodeID {
                let file = try await host.create(name, in: .root, by: Program(name: "editor"))
                try await file.close()
                try await machine.executor.sleep(.seconds(10))
                return file.node
            }
            let first = try await work("first")
            for set in sets { #expect(machine.posts(set).isEmpty) }
            let domain = try #require(
                try await machine.domains().first { $0.identifier.rawValue == "a" })
            _ = try await work("second")
            #expect(machine.posts(sets[0]) == [.init("a")])
            #expect(machine.posts(sets[1]).isEmpty)

            machine.network("a").isCut = true
            try await host.setAttributes(of: first) { $0.tags = Data([1]) }
            try await machine.executor.sleep(.seconds(10))
            #expect(machine.posts(sets[1]) == [.init("a")])
            let told = machine.network("a").told["materialised"]
            let manager = try #require(NSFileProviderManager(for: domain))
            try await manager.disconnect(reason: "a test")
            try await host.evict(
                try #require(
                    try host.replica.read {
                        try $0.child("second", of: .root)?.id
                    }))
            try await machine.executor.sleep(.seconds(10))
            #expect(machine.posts(sets[0]) == [.init("a"), .init("a")])
            #expect(machine.network("a").told["materialised"] == told)
        }
    }

    @Test("post through the usual notification centre, with the domain")
    func notificationCentre() throws {
        let settings = RegistrySettings(folder: "/", places: "/", boot: "") { _ in
            throw CocoaError(.featureUnsupported)
        }
        let domain = NSFileProviderDomainIdentifier(UUID().uuidString)
        let heard = Mutex(0)
        let observer = NotificationCenter.default.addObserver(
            forName: .fileProviderPendingSetDidChange, object: nil, queue: nil
        ) { notification in
            guard notification.object as? NSFileProviderDomainIdentifier == domain else { return }
            heard.withLock { $0 += 1 }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        settings.post(.fileProviderPendingSetDidChange, domain)
        settings.post(.fileProviderMaterializedSetDidChange, domain)
        #expect(heard.withLock { $0 } == 1)
    }

    @Test("are there as a whole or not at all, wherever the machine dies")
    func deathWhileAdding() throws {
        try Machine.play { machine in
            var deaths = 0
            while true {
                let name = "Work \(deaths)"
                let isDead = try await machine.dies(after: deaths) { registry in
                    try await registry.add(Self.record("work", name))
                }
                guard isDead else { break }
                deaths += 1
                try await machine.start()
                #expect(machine.registry.unavailable.isEmpty)
                try await machine.registry.add(Self.record("work", "Works"))
                #expect(machine.registry.records().map(\.displayName) == ["Works"])
                #expect(machine.hosted("work") != nil)
                _ = try await machine.registry.remove(.init("work"), mode: .removeAll)
                #expect(machine.registry.records().isEmpty)
                #expect(try machine.tree(at: machine.registryFolder).isEmpty)
            }
            #expect(deaths > 5)
        }
    }
}

extension Machine {
    func domains() async throws -> [NSFileProviderDomain] {
        try await withCheckedThrowingContinuation { continuation in
            registry.domains { continuation.resume(with: $0) }
        }
    }
}

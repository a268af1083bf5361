import FileProvider
import Foundation
import Testing

@Suite("A domain")
struct DomainTests {
    @Test("begins as the API says")
    func defaults() {
        let domain = NSFileProviderDomain(identifier: .init("a"), displayName: "A")

        #expect(domain.isReplicated)
        #expect(domain.supportsSyncingTrash)
        #expect(!domain.supportsStringSearchRequest)
        #expect(!domain.isHidden)
        #expect(!domain.isDisconnected)
        #expect(domain.testingModes == [])
        #expect(domain.userInfo == nil)
    }

    @Test("keeps what is set")
    func settings() {
        let domain = NSFileProviderDomain(identifier: .init("a"), displayName: "A")
        domain.isHidden = true
        domain.testingModes = [.alwaysEnabled, .interactive]
        domain.supportsSyncingTrash = false
        domain.supportedKnownFolders = .desktop
        domain.supportsStringSearchRequest = true

        #expect(domain.record.isHidden)
        #expect(domain.record.testingModes == [.alwaysEnabled, .interactive])
        #expect(!domain.supportsSyncingTrash)
        #expect(domain.supportedKnownFolders == .desktop)
        #expect(domain.supportsStringSearchRequest)
    }

    @Test("has an identifier that no other has when it is made for a volume")
    func volumes() {
        let volume = URL(fileURLWithPath: "/")
        let domains = (0..<2).map { _ in
            NSFileProviderDomain(displayName: "A", userInfo: ["a": 1], volumeURL: volume)
        }
        #expect(domains[0].identifier != domains[1].identifier)
        #expect(domains[0].record.problem == nil)
        #expect(domains[0].record.volumeURL == volume)
        #expect(domains[0].userInfo?["a"] as? Int == 1)
    }

    @Test("keeps strings, numbers, dates and data, each as what it is")
    func userInfo() {
        let date = Date(timeIntervalSince1970: 7)
        let info = DomainUserInfo([
            "text": "a", "number": 5, "real": 1.5, "yes": true, "date": date,
            "data": Data([1]), "foundation": NSNumber(value: 7), "one": 1,
        ])

        #expect(info.isValid)
        #expect(
            info.entries == [
                "text": .text("a"), "number": .integer(5), "real": .real(1.5), "yes": .flag(true),
                "date": .date(date), "data": .data(Data([1])), "foundation": .integer(7),
                "one": .integer(1),
            ])
        #expect(DomainUserInfo(info.values) == info)
    }

    @Test("is refused with information that nobody can store, or an experiment that is none")
    func wrongUserInfo() {
        let wrong: [[AnyHashable: Any]] = [
            [1: "a"], ["a": URL(fileURLWithPath: "/")], ["a": ["b"]],
            [NSFileProviderUserInfoKey.experimentID: 32],
            [NSFileProviderUserInfoKey.experimentID.rawValue: -1],
            [NSFileProviderUserInfoKey.experimentID: "1"],
        ]
        for info in wrong {
            let domain = NSFileProviderDomain(identifier: .init("a"), displayName: "A")
            domain.userInfo = info
            #expect(domain.record.problem?.code == .EINVAL, "\(info)")
        }
        let domain = NSFileProviderDomain(identifier: .init("a"), displayName: "A")
        domain.userInfo = [NSFileProviderUserInfoKey.experimentID: 31]
        #expect(domain.record.problem == nil)
    }

    @Test("has versions that only grow, and survive being archived")
    func versions() throws {
        let first = NSFileProviderDomainVersion()
        let second = first.next()

        #expect(first < second)
        #expect(second < second.next())
        #expect(first == NSFileProviderDomainVersion())
        #expect(Set([first, second, NSFileProviderDomainVersion()]).count == 2)
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: second, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSFileProviderDomainVersion.self, from: archive)
        #expect(read == second)
        #expect(NSFileProviderDomainVersion(stored: second.stored) == second)
        #expect(NSFileProviderDomainVersion(stored: -1) == nil)
    }
}

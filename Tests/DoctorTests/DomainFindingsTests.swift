import BasketConnection
import BasketProvider
import BasketSupport
import FileProviderDaemon
import Glibc
import Testing

@testable import BasketDoctor

@Suite("A doctor who looks at a domain")
struct DomainFindingsTests {
    private let domain = HostedDomainState(domain: "1", name: "Work", state: .serving)

    private var server: ServerCheck {
        ServerCheck(domain: domain, version: "1.2.3", world: .live(log: .silent))
    }

    @Test(
        "says how it is",
        arguments: [
            (.serving, .fine), (.disabled, .fine), (.starting, .warning), (.failing, .wrong),
            (.unreadable, .damaged),
        ] as [(HostedDomainState.State, Finding.Verdict)])
    func says(state: HostedDomainState.State, verdict: Finding.Verdict) {
        let finding = DomainStateCheck(
            domain: HostedDomainState(domain: "1", name: "Work", state: state)
        ).finding
        #expect(finding.verdict == verdict)
        #expect((finding.remedy == nil) == (verdict == .fine))
        #expect(finding.domain == "Work")
    }

    @Test(
        "knows a folder that answers from one for which nobody does",
        arguments: [
            (.volume(7), .fine), (.volume(1), .wrong), (.failed(ENOTCONN), .wrong),
            (.failed(EIO), .wrong), (.silent, .wrong),
        ] as [(MountAnswer, Finding.Verdict)])
    func looksAtMounts(answer: MountAnswer, verdict: Finding.Verdict) {
        let check = MountCheck(domain: domain, world: .live(log: .silent))
        #expect(check.judge(answer, above: .volume(1), "/home/ann/Basket/Work").verdict == verdict)
    }

    @Test("takes a mount for dead only when it does not answer")
    func findsDeadMounts() {
        #expect(DeadMountsCheck.judge(.volume(3), "/mnt") == nil)
        #expect(DeadMountsCheck.judge(.failed(ENOTCONN), "/mnt")?.verdict == .wrong)
        #expect(DeadMountsCheck.judge(.silent, "/mnt")?.verdict == .wrong)
    }

    @Test(
        "warns of clocks that differ by a minute, whichever is late",
        arguments: [
            (0, .fine), (59, .fine), (-59, .fine), (60, .warning), (-60, .warning),
            (86_400, .warning),
        ] as [(Int, Finding.Verdict)])
    func comparesClocks(seconds: Int, verdict: Finding.Verdict) {
        #expect(server.judge(clockAhead: .seconds(seconds)).verdict == verdict)
    }

    @Test(
        "says which of the two is the older one, where that is more than a mend",
        arguments: [
            ("1.2.3", .fine, nil), ("1.2.0", .fine, nil), ("1.2.4-rc.1", .fine, nil),
            ("1.1.9", .warning, "newer server"), ("0.9.0", .warning, "newer server"),
            ("1.10.0", .warning, "this program"), ("2.0.0", .warning, "this program"),
            ("", .fine, nil), ("x.y", .fine, nil),
        ] as [(String, Finding.Verdict, String?)])
    func comparesVersions(theirs: String, verdict: Finding.Verdict, remedy: String?) {
        let finding = server.judge(serverVersion: theirs)
        #expect(finding.verdict == verdict)
        #expect((finding.remedy == nil) == (remedy == nil))
        if let remedy { #expect(finding.remedy?.contains(remedy) == true) }
    }

    @Test(
        "says what is wrong between a device and its server",
        arguments: [
            (.unreachable(.refused), "server"),
            (.unreachable(.certificateNotPinned(offered: nil)), "certificate"),
            (.unreachable(.certificateNotTrusted(offered: nil, reason: "old")), "certificate"),
            (.badAnswer("no JSON"), "server"), (.otherServer("x"), "server"),
        ] as [(ConnectionError, String)])
    func tellsOfServers(error: ConnectionError, about check: String) {
        let finding = server.judge(error, at: "https://nas.local")
        #expect(finding.check == check && finding.verdict == .wrong && finding.remedy != nil)
    }

    @Test("says how one logs in again")
    func tellsOfLogIns() {
        let finding = server.judge(.loggedOut(address: "https://nas.local"))
        #expect(finding.check == "log-in")
        #expect(finding.remedy?.contains("basket connect Work") == true)
    }

    @Test("says of a log-in in a keyring how one comes to it, and not that one has to log in again")
    func tellsOfKeyrings() {
        let finding = server.judge(.hidden(.locked))
        #expect(finding.check == "log-in" && finding.verdict == .wrong)
        #expect(finding.remedy == KeyringTrouble.locked.remedy)
    }

    @Test("tells of each thing that does not agree, as damage")
    func tellsOfDamage() {
        let check = ReplicaCheck(domain: domain, isDeep: true)
        #expect(check.judge([]).map(\.verdict) == [.fine])
        let found = check.judge([("a/b", "its size is another"), (nil, "no root")])
        #expect(found.map(\.verdict) == [.damaged, .damaged])
        #expect(found[0].message == "a/b: its size is another" && found[1].message == "no root")
    }

    @Test("finds what is left of domains that have gone, and of no other")
    func findsLeftovers() {
        var domain = domain
        domain.socket = "/run/1.sock"
        domain.info = ["credentials": "/data/1.json"]
        let paths = [
            "/data/1.json", "/data/2.json", "/run/1.sock", "/run/2.sock", "/run/daemon.sock",
        ]
        func left(_ domain: HostedDomainState) -> [String] {
            LeftoversCheck.leftovers(among: paths, daemonSocket: "/run/daemon.sock", [domain])
        }
        #expect(left(domain) == ["/data/2.json", "/run/2.sock"])
        // Its host may be just about to listen there.
        domain.state = .starting
        #expect(left(domain) == ["/data/2.json"])
        #expect(LeftoversCheck.judge([]).verdict == .fine)
        #expect(LeftoversCheck.judge(["/data/2.json"]).verdict == .warning)
    }
}

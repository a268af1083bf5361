import BasketSupport
import Glibc
import Testing

@testable import BasketDoctor

@Suite("A doctor who looks at a machine")
struct MachineFindingsTests {
    @Test(
        "knows which kernels hand a mount over",
        arguments: [
            ("6.9.0", .fine), ("6.12.3-arch1", .fine), ("7.0-rc1", .fine), ("10.1", .fine),
            ("6.8.12", .warning), ("6.1.0-18-amd64", .warning), ("5.15.0", .warning),
            ("", .warning), ("six", .warning), ("6", .warning), ("6.", .warning),
        ] as [(String, Finding.Verdict)])
    func readsKernels(release: String, verdict: Finding.Verdict) {
        #expect(KernelCheck.judge(release).verdict == verdict)
    }

    @Test(
        "says what is wrong with a folder",
        arguments: [
            (.missing(canBeMade: true), .fine), (.missing(canBeMade: false), .wrong),
            (.noFolder, .wrong), (.folder(isOwn: true, mode: 0o700, isWritable: true), .fine),
            (.folder(isOwn: false, mode: 0o700, isWritable: true), .wrong),
            (.folder(isOwn: true, mode: 0o777, isWritable: true), .wrong),
            (.folder(isOwn: true, mode: 0o720, isWritable: true), .wrong),
            (.folder(isOwn: true, mode: 0o755, isWritable: true), .warning),
            (.folder(isOwn: true, mode: 0o500, isWritable: false), .wrong),
        ] as [(FolderCheck.State, Finding.Verdict)])
    func looksAtFolders(state: FolderCheck.State, verdict: Finding.Verdict) {
        let finding = FolderCheck("data-folder", "The folder", "/data").judge(state)
        #expect(finding.verdict == verdict)
        #expect((finding.remedy == nil) == (verdict == .fine))
    }

    @Test(
        "warns of a disk with less than a gibibyte, or a twentieth, left",
        arguments: [
            (100 << 30, 1000 << 30, .fine), (2 << 30, 20 << 30, .fine),
            ((1 << 30) - 1, 2 << 30, .warning), (40 << 30, 1000 << 30, .warning),
            (0, 1 << 30, .warning), (0, 0, .warning),
        ] as [(Int64, Int64, Finding.Verdict)])
    func measures(available: Int64, total: Int64, verdict: Finding.Verdict) {
        let finding = DiskSpaceCheck.judge(available: available, total: total, folder: "/data")
        #expect(finding.verdict == verdict)
    }

    @Test(
        "says why nothing can be mounted",
        arguments: [(nil, .fine), (ENOENT, .wrong), (EACCES, .wrong), (EIO, .wrong)]
            as [(Int32?, Finding.Verdict)])
    func opensTheDevice(failure: Int32?, verdict: Finding.Verdict) {
        #expect(FuseDeviceCheck.judge(failure).verdict == verdict)
    }

    @Test("needs a program that mounts, except for root")
    func looksForTheHelper() {
        #expect(MountHelperCheck.judge(.missing, isRoot: true).verdict == .fine)
        #expect(MountHelperCheck.judge(.missing, isRoot: false).verdict == .wrong)
        #expect(MountHelperCheck.judge(.powerless(path: "/x"), isRoot: false).verdict == .wrong)
        #expect(MountHelperCheck.judge(.usable, isRoot: false).verdict == .fine)
    }

    @Test(
        "wants a daemon of its own version",
        arguments: [
            (.answers(version: "1.0"), .fine), (.answers(version: "0.9"), .wrong),
            (.answers(version: nil), .wrong), (.missing, .wrong), (.failing("?"), .wrong),
        ] as [(DaemonCheck.State, Finding.Verdict)])
    func asksTheDaemon(state: DaemonCheck.State, verdict: Finding.Verdict) {
        #expect(DaemonCheck(socket: "", version: "1.0").judge(state).verdict == verdict)
    }
}

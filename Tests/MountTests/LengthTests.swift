import FolderProvider
import Foundation
import Synchronization
import Testing

/// Where a file ends, the kernel was told; and behind that, it makes zeros of what it reads.
@Suite(
    "Where a file ends", .timeLimit(.minutes(5)), .enabled(if: MountStage.isPossible))
struct LengthTests {
    /// Contents have no zeros in them, and one byte through and through.
    private static let readers = """
        cat >../readers.py <<'END'
        import errno, os, sys, threading, time
        until = time.monotonic() + float(sys.argv[1])
        wrong = []
        def ask():
            while time.monotonic() < until:
                try: os.stat("file"); list(os.scandir("."))
                except OSError: pass
        def read():
            while time.monotonic() < until:
                try: f = os.open("file", os.O_RDONLY)
                except OSError as error:
                    if error.errno not in (errno.ESTALE, errno.ENOENT): wrong.append(error)
                    continue
                try:
                    data = b""
                    while part := os.read(f, 16 << 10): data += part
                    if len(set(data)) > 1: wrong.append((len(data), data[:1], data[-1:]))
                except OSError as error:
                    if error.errno not in (errno.ESTALE, errno.EIO): wrong.append(error)
                finally: os.close(f)
        threads = [threading.Thread(target=body) for body in (ask, ask, read, read, read)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(wrong), wrong[:3])
        END
        """

    @Test("is where others have made it end, for whoever reads it while many ask about it")
    func shorter() async throws {
        try await MountStage.play { stage in
            try stage.put("file", "a")
            try await stage.settle()
            let isOver = Atomic(false)
            async let elsewhere: Void = {
                var number = 0
                while !isOver.load(ordering: .relaxed) {
                    number += 1
                    let letter = number.isMultiple(of: 2) ? "l" : "s"
                    let length = number.isMultiple(of: 2) ? 50_000 : 100
                    try stage.put("file", String(repeating: letter, count: length))
                    stage.provider.look()
                    try await Task.sleep(for: .milliseconds(.random(in: 1...20)))
                }
            }()
            let said = await Result.of {
                try await stage.shell(Self.readers + "\npython3 ../readers.py 8")
            }
            isOver.store(true, ordering: .relaxed)
            try await elsewhere
            let text = try said.get()
            #expect(text == "0 []\n")
        }
    }
}

extension Result where Failure == any Error {
    fileprivate static func of(_ body: () async throws -> Success) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

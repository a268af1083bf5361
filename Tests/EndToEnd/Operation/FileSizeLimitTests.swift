import BasketContent
import TestSupport
import Testing

extension EndToEnd {
    @Suite("A file that may not grow", .timeLimit(.minutes(60)))
    struct FileSizeLimitTests {
        /// 2 MiB for each file, in the blocks that a shell counts.
        private static let limited = ["/bin/sh", "-c", "ulimit -f 4096; exec \"$@\"", "sh"]

        @Test("is told to who writes, and nothing that was acknowledged suffers")
        func limit() throws {
            let server = try ServerProcess(wrapper: Self.limited)
            defer { server.kill() }
            let caller = server.caller()
            try caller.makeDomain("Work")
            let files = "/v1/domains/Work/files/"
            var hashes: [String: String] = [:]
            var refused = 0
            for index in 0..<100 {
                // Every tenth is too large for a file, and all the others for the database's log.
                let size = index % 10 == 5 ? 3 << 20 : 60 << 10
                let content = [UInt8](repeating: UInt8(index), count: size)
                let answer = try caller.put("\(files)\(index)", content)
                if answer.status == 201 {
                    hashes["\(index)"] = ContentHash(of: content).hex
                } else {
                    refused += 1
                    #expect(answer.status == 507 && answer.code == "disk_full", "\(answer.text)")
                }
            }

            #expect(refused >= 10 && hashes.count >= 10, "\(refused) of 100 were refused")
            for (name, hash) in hashes {
                #expect(ContentHash(of: try caller.get(files + name).body).hex == hash)
            }
            #expect(server.stop() == .exit(0))
            let check = try ServerProgram.run(["check", "--deep", "--data", server.folder])
            #expect(check.ending == .exit(0), "\(check.output)")
        }
    }
}

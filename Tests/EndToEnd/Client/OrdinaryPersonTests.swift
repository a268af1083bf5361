import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite(
        "Somebody who is not root, whose folders a helper mounts",
        .enabled(if: getpwnam("games") != nil),
        .enabled(if: Laptop.isPossibleForAll, "needs a /dev/fuse for everybody"),
        .timeLimit(.minutes(5)))
    struct OrdinaryPersonTests {
        @Test("has a folder that is nobody else's, and outlives its host")
        func folder() throws {
            let server = try ServerProcess()
            defer { server.kill() }
            let laptop = try Laptop("laptop", user: "games")
            let folder = try laptop.connect("Work", to: server)
            #expect(try laptop.shell("id -un; stat -c %U .", in: folder) == "games\ngames\n")
            #expect(throws: Failure.self) { try Laptop.shell("ls", in: folder) }

            try laptop.shell("mkdir papers; echo dear >papers/letter", in: folder)
            let copying = Meanwhile {
                try laptop.shell(
                    """
                    head -c 64M /dev/urandom >../../noise
                    for i in $(seq 20); do cp ../../noise copy; cmp ../../noise copy; done
                    """, in: folder, upTo: .seconds(200))
            }
            let deaths = try laptop.killHosts(after: .seconds(1), atMost: 4, during: copying)
            _ = try copying.result()
            #expect(deaths > 0)
            #expect(try laptop.shell("cat papers/letter", in: folder) == "dear\n")
            try laptop.settle("Work")
            #expect(try laptop.basket("check", "Work").ending == .exit(0))

            try laptop.expect("disconnect", "Work")
            #expect(try laptop.shell("ls", in: laptop.domains) == "")
        }
    }
}

import BasketSupport
import Glibc
import Testing

extension EndToEnd.Trials {
    @Suite(
        "A hundred readers of what is not here, whose server is silent",
        .enabled(if: Freezer.isPossible))
    struct FrozenReaderTests {
        private static let count = 100

        // A page of a file is waited for by the kernel in a way that nothing but its coming, or an error, ends: so long no
        // reader can be frozen. Before a machine sleeps, its hosts are told, and let readers go.
        @Test("end with every byte when it answers, though they were to be frozen meanwhile")
        func silence() throws {
            try freeze(for: .seconds(3))
        }

        /// Has a hundred readers wait, frozen if they can be, until the server answers.
        private func freeze(for limit: Duration) throws {
            try TrialScene.play { scene in
                try scene.shell(
                    "for i in $(seq \(Self.count)); do head -c 300000 /dev/urandom >f$i; done")
                try scene.settle()
                let (other, there) = try scene.another()
                try scene.settle(other)
                let freezer = try Freezer()

                scene.server.process.signal(SIGSTOP)
                defer { scene.server.process.signal(SIGCONT) }
                let readers = Meanwhile {
                    try scene.shell(
                        """
                        for i in $(seq \(Self.count)); do
                            { echo $BASHPID >\(freezer.door); status=0; cat f$i >$aside/f$i 2>$aside/error$i || status=$?; echo $status >$aside/status$i; } &
                        done; wait
                        """, in: there, upTo: .seconds(400))
                }
                let pausing = Semaphore()
                // The shell of each, and what it has started.
                #expect(Patience.until(upTo: .seconds(30)) { freezer.count == 2 * Self.count })
                _ = pausing.wait(upTo: .seconds(2))
                #expect(freezer.count == 2 * Self.count, "nobody has got anything yet")

                try freezer.freeze()
                let wereFrozen = Trial.timed("frozen: a hundred readers") {
                    Patience.until(upTo: limit) { freezer.isFrozen }
                }
                Trial.tell("frozen: all of them: \(wereFrozen)")
                try freezer.thaw()
                scene.server.process.signal(SIGCONT)
                _ = try Trial.timed("frozen: until all have ended") {
                    try readers.result()
                }

                let said = try scene.shell(
                    """
                    for i in $(seq \(Self.count)); do
                        if test "$(cat $aside/status$i)" = 0; then cmp -s f$i $aside/f$i && echo read || echo wrong
                        else sed 's/.*: //' $aside/error$i; fi
                    done | sort | uniq -c
                    """)
                Trial.tell(
                    "frozen: \(said.split(separator: "\n").joined(separator: ";"))")
                #expect(!said.contains("wrong"))
                #expect(!said.contains("Interrupted"))
                #expect(freezer.count == 0)
            }
        }
    }
}

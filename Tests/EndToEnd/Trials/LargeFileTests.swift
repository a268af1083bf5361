import Testing

extension EndToEnd.Trials {
    @Suite("A file of five gibibytes")
    struct LargeFileTests {
        /// The same noise each time, as fast as a disk.
        static let noise =
            "head -c 5G /dev/zero | openssl enc -aes-128-ctr -nosalt -K 00112233445566778899aabbccddeeff -iv 0"

        @Test("comes to another machine whole")
        func whole() throws {
            try TrialScene.play { scene in
                // Three copies, and what is on its way.
                let free = try scene.shell("df --output=avail -B 1G $aside | tail -n 1")
                try #require(Int(free.filter(\.isNumber)) ?? 0 > 30)
                let hash = try scene.shell("\(Self.noise) 2>/dev/null | sha256sum")
                try Trial.timed("5 GiB: written to the mount") {
                    try scene.shell("\(Self.noise) 2>/dev/null >large; sync large")
                }
                try Trial.timed("5 GiB: until it is on the server") { try scene.settle() }
                #expect(try scene.item(at: "large")["size"].integer == 5 << 30)
                #expect(
                    try scene.item(at: "large")["sha256"].string.map { $0 + "  -\n" } == hash)

                let (other, there) = try scene.another()
                try scene.settle(other)
                #expect(
                    try Trial.timed("5 GiB: read on another machine, where nothing was") {
                        try scene.shell("sha256sum <large", in: there)
                    } == hash)
                #expect(
                    try Trial.timed("5 GiB: read there again") {
                        try scene.shell("sha256sum <large", in: there)
                    } == hash)
            }
        }
    }
}

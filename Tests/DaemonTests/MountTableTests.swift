import Testing

@testable import FileProviderDaemon

@Suite("What is mounted")
struct MountTableTests {
    @Test("is known by its folder, whatever that is called, and by the kernel's number of it")
    func domains() {
        let table = MountTable(
            text: """
                22 1 0:21 / /proc rw - proc proc rw
                90 1 0:57 / /home/ada/Basket/Work rw,nosuid - fuse.basket Work rw
                91 1 0:58 / /home/ada/Basket/At\\040home rw shared:7 - fuse.basket At\\040home rw
                92 1 0:59 / /home/ada/Baskets rw - fuse.basket Other rw
                93 1 0:60 / /home/ada/Basket/Photos rw - fuse.sshfs nas rw
                """)
        #expect(
            table.domains(in: "/home/ada/Basket") == [
                MountTable.Domain(folder: "/home/ada/Basket/At home", number: 58),
                MountTable.Domain(folder: "/home/ada/Basket/Work", number: 57),
            ])
    }
}

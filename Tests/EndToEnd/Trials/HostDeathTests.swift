import BasketSupport
import Glibc
import Testing

extension EndToEnd.Trials {
    @Suite("A program that works while its folder's host dies")
    struct HostDeathTests {
        @Test("cp copies 2 GiB through ten deaths, and ends with every byte")
        func copy() throws {
            try TrialScene.play { scene in
                try scene.shell("head -c 2G /dev/urandom >$aside/source")
                let copy = Meanwhile { try scene.shell("cp $aside/source copy") }
                let count = try Trial.timed("deaths: cp of 2 GiB") {
                    let count = try scene.laptop.killHosts(
                        after: .milliseconds(100), during: copy)
                    _ = try copy.result()
                    return count
                }
                #expect(count == 10)
                try scene.shell("cmp $aside/source copy")
                try scene.settle()
                let hash = try scene.shell("sha256sum <$aside/source | cut -d ' ' -f 1")
                #expect(
                    try scene.item(at: "copy")["sha256"].string == hash.filter { !$0.isNewline })
            }
        }

        @Test(
            "goes on as if nothing had been",
            arguments: EndToEnd.Trials.workingPrograms.filter {
                $0.name == Trial.program ?? $0.name
            })
        func goesOn(program: WorkingProgram) throws {
            try TrialScene.play { scene in
                try scene.shell(program.prepare)
                let going = Meanwhile { try scene.shell(program.work) }
                let count = try Trial.timed("deaths: \(program.name)") {
                    let count = try scene.laptop.killHosts(
                        after: .milliseconds(700), during: going)
                    do {
                        _ = try going.result()
                    } catch {
                        throw Failure("\(error)\nthe daemon: \(scene.laptop.log.suffix(4000))")
                    }
                    return count
                }
                Trial.tell("deaths: \(program.name) went on through \(count)")
                #expect(count >= 2)
                try scene.shell(program.verify)
                try scene.settle()
                let (other, there) = try scene.another()
                try scene.settle(other)
                try scene.shell(program.verify, in: there)
                #expect(try scene.laptop.basket("check", "Work").ending == .exit(0))
            }
        }
    }
}

import BasketSupport
import Fuzzers
import Glibc
import Testing

@Suite("The fuzzers' corpus")
struct CorpusTests {
    private static let files = LinuxFileSystem()
    private static let folder =
        LinuxFileSystem.folder(of: LinuxFileSystem.folder(of: #filePath)) + "/Fuzz/Corpus"

    @Test("holds something for every fuzzer, and nothing else")
    func isComplete() throws {
        #expect(try Self.files.list(Self.folder) == fuzzers.map { $0.name }.sorted())
        for fuzzer in fuzzers {
            #expect(try !Self.files.list("\(Self.folder)/\(fuzzer.name)").isEmpty)
        }
    }

    @Test("breaks no parser", arguments: fuzzers.map { $0.name })
    func holds(fuzzer name: String) throws {
        let fuzzer = try #require(fuzzers.first { $0.name == name })
        for file in try Self.files.list("\(Self.folder)/\(name)") {
            let bytes = try Self.files.contents(of: "\(Self.folder)/\(name)/\(file)")
            #expect(throws: Never.self, "\(file)") { try fuzzer.feed(bytes) }
        }
    }

    /// As long as a request's headers may be, all in one.
    private static let longest = 32 << 10
    /// Who needs less is quick on any machine, whatever else watches each step.
    private static let noticeable = 10.0

    @Test(
        "keeps no parser busy when it is repeated", arguments: fuzzers.map { $0.name })
    func isQuick(fuzzer name: String) throws {
        let fuzzer = try #require(fuzzers.first { $0.name == name })
        for file in try Self.files.list("\(Self.folder)/\(name)") {
            let bytes = try Self.files.contents(of: "\(Self.folder)/\(name)/\(file)")
            guard !bytes.isEmpty else { continue }
            func seconds(upTo length: Int) -> Double {
                let repeated = repeatElement(bytes, count: length / bytes.count).joined()
                let start = Self.processorSeconds()
                #expect(throws: Never.self, "\(file)") { try fuzzer.feed(Array(repeated)) }
                return Self.processorSeconds() - start
            }
            let whole = seconds(upTo: Self.longest)
            if whole > Self.noticeable {
                // Twice as much takes twice as long, and not four times.
                #expect(whole < 3 * seconds(upTo: Self.longest / 2), "\(file)")
            }
        }
    }

    /// Time of this thread alone: what else the machine does meanwhile does not count.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

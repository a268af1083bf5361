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

    /// As long as a request's headers may be, all in one. What takes the square of its input's length
    /// takes minutes here.
    @Test(
        "keeps no parser busy when it is repeated", arguments: fuzzers.map { $0.name })
    func isQuick(fuzzer name: String) throws {
        let fuzzer = try #require(fuzzers.first { $0.name == name })
        for file in try Self.files.list("\(Self.folder)/\(name)") {
            let bytes = try Self.files.contents(of: "\(Self.folder)/\(name)/\(file)")
            guard !bytes.isEmpty else { continue }
            let repeated = repeatElement(bytes, count: (32 << 10) / bytes.count).joined()
            let start = Self.processorSeconds()
            #expect(throws: Never.self, "\(file)") { try fuzzer.feed(Array(repeated)) }
            #expect(Self.processorSeconds() - start < 30, "\(file)")
        }
    }

    /// Time of this thread alone: what else the machine does meanwhile does not count.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

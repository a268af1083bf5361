import Glibc

/// The program that libFuzzer drives: it brings `main`, mutates inputs, and calls this.
private enum FuzzerProcess {
    /// Chosen by the environment, so that one program holds every fuzzer.
    static let fuzzer: any Fuzzer.Type = {
        let name = getenv("FUZZER").map { String(cString: $0) } ?? ""
        guard let fuzzer = fuzzers.first(where: { $0.name == name }) else {
            fatalError("FUZZER is '\(name)', and should be one of \(fuzzers.map { $0.name })")
        }
        return fuzzer
    }()
}

@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try FuzzerProcess.fuzzer.feed(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError(error.description)
    }
    return 0
}

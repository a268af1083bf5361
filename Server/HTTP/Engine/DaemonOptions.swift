import CMicroHTTPD

/// The daemon's options, with the texts that some of them point to.
struct DaemonOptions {
    private var items: [MHD_OptionItem] = []
    private var texts: [(index: Int, bytes: [CChar])] = []

    mutating func add(
        _ option: MHD_OPTION, _ value: Int, _ pointer: UnsafeMutableRawPointer? = nil
    ) {
        items.append(MHD_OptionItem(option: option, value: value, ptr_value: pointer))
    }

    /// libmicrohttpd reads the text while it starts, and keeps what it needs.
    mutating func add(_ option: MHD_OPTION, text: [UInt8]) {
        texts.append((items.count, text.map(CChar.init(bitPattern:)) + [0]))
        add(option, 0)
    }

    func withArray<Result>(_ body: (UnsafePointer<MHD_OptionItem>) -> Result) -> Result {
        var items = items + [MHD_OptionItem(option: .END, value: 0, ptr_value: nil)]
        var copies: [UnsafeMutablePointer<CChar>] = []
        for (index, bytes) in texts {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            copy.initialize(from: bytes, count: bytes.count)
            copies.append(copy)
            items[index].ptr_value = UnsafeMutableRawPointer(copy)
        }
        defer { for copy in copies { copy.deallocate() } }
        return items.withUnsafeBufferPointer { buffer in
            guard let address = buffer.baseAddress else {
                preconditionFailure("the list has an end")
            }
            return body(address)
        }
    }
}

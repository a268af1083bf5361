import Glibc

/// This machine's ways to its networks.
enum NetworkInterfaces {
    /// The number of the one that has an address; nil where none has, or where nobody may ask.
    static func number(of address: String) -> Int32? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var next = first
        while let entry = next {
            if let there = entry.pointee.ifa_addr, text(of: there) == address {
                let number = if_nametoindex(entry.pointee.ifa_name)
                return number == 0 ? nil : Int32(number)
            }
            next = entry.pointee.ifa_next
        }
        return nil
    }

    /// What people call the one of that number.
    static func name(of number: Int32) -> String? {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard number > 0, if_indextoname(UInt32(number), &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
        let size =
            switch Int32(address.pointee.sa_family) {
            case AF_INET: MemoryLayout<sockaddr_in>.size
            case AF_INET6: MemoryLayout<sockaddr_in6>.size
            default: 0
            }
        guard size > 0 else { return nil }
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                address, socklen_t(size), &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        let text = String(
            decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // A zone, as in fe80::1%eth0, is no part of the number.
        return String(text.prefix { $0 != "%" })
    }
}

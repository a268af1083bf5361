import COpenSSL

/// Hashes bytes as they come. One owner, who feeds it and takes the hash at the end.
package struct SHA256: ~Copyable, @unchecked Sendable {
    // Unchecked: the context has no other owner than this value, which cannot be copied; OpenSSL
    // lets a context be used from any thread, as long as it is one at a time.
    private let context: OpaquePointer

    package init() {
        guard let context = EVP_MD_CTX_new() else { fatalError("there is no memory for a hash") }
        self.context = context
        start()
    }

    /// Goes on from where another hasher stands. What both have in common is hashed once.
    package init(continuing other: borrowing SHA256) {
        guard let context = EVP_MD_CTX_new() else { fatalError("there is no memory for a hash") }
        let copied = EVP_MD_CTX_copy_ex(context, other.context)
        precondition(copied == 1, "a hash in progress cannot be copied")
        self.context = context
    }

    deinit {
        EVP_MD_CTX_free(context)
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        let done = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
        precondition(done == 1, "SHA-256 refuses bytes")
    }

    package mutating func update(_ bytes: borrowing [UInt8]) {
        update(bytes.span)
    }

    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        update(bytes.span)
    }

    /// The hash of all bytes since the start, and a new start.
    package mutating func finish() -> ContentHash {
        let hash = ContentHash { digest in
            let done = EVP_DigestFinal_ex(context, digest, nil)
            precondition(done == 1, "SHA-256 gives no hash")
        }
        start()
        return hash
    }

    private func start() {
        let started = EVP_DigestInit_ex2(context, algorithm, nil)
        precondition(started == 1, "SHA-256 does not start")
    }
}

extension ContentHash {
    /// The hash of bytes that are all here.
    package init(of bytes: Span<UInt8>) {
        self.init { digest in
            let done = bytes.withUnsafeBytes {
                EVP_Digest($0.baseAddress, $0.count, digest, nil, algorithm, nil)
            }
            precondition(done == 1, "SHA-256 gives no hash")
        }
    }

    package init(of bytes: borrowing [UInt8]) {
        self.init(of: bytes.span)
    }

    package init(of bytes: ArraySlice<UInt8>) {
        self.init(of: bytes.span)
    }

    /// - Parameter fill: writes all 32 bytes.
    fileprivate init(fill: (UnsafeMutablePointer<UInt8>) -> Void) {
        self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.byteCount) { digest in
            guard let start = digest.baseAddress else { fatalError("there is no stack") }
            fill(start)
            guard let hash = ContentHash(bytes: Span(_unsafeElements: UnsafeBufferPointer(digest)))
            else { fatalError("a digest has another size") }
            return hash
        }
    }
}

/// Fetched once: a search through OpenSSL's providers takes longer than hashing a token.
///
/// Unsafe, and fine: OpenSSL's descriptions of algorithms never change once fetched, and are made to
/// be shared between threads.
nonisolated(unsafe) private let algorithm: OpaquePointer = {
    guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else {
        fatalError("this OpenSSL has no SHA-256")
    }
    return algorithm
}()

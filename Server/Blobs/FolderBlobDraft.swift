import BasketSupport

/// A file in the drafts' folder, until it is sealed.
actor FolderBlobDraft: BlobDraft {
    private let id: BlobID
    private let store: FolderBlobStore
    /// Nil once the draft has ended.
    private var file: (any File)?
    private(set) var size: Int64 = 0
    /// What was announced and has not come yet.
    private var announced: Int64

    init(_ id: BlobID, _ file: any File, in store: FolderBlobStore, announced: Int64) {
        self.id = id
        self.file = file
        self.store = store
        self.announced = announced
    }

    deinit {
        if file != nil {
            store.withdraw(announced)
            store.discard(id)
        }
    }

    func append(_ bytes: [UInt8]) throws(BlobError) -> Int64 {
        guard let file else { throw .draftEnded(id) }
        let count = Int64(bytes.count)
        let expected = min(announced, count)
        do {
            try store.spend(count, announced: expected, after: size)
            // Before the write: if that fails, these must not be given back a second time.
            announced -= expected
            try store.write(bytes, to: file, at: size)
        } catch {
            discard()
            throw error
        }
        defer { size += count }
        return size
    }

    func seal() throws(BlobError) -> BlobID {
        guard let file else { throw .draftEnded(id) }
        do {
            try store.seal(id, file, size: size)
        } catch {
            discard()
            throw error
        }
        self.file = nil
        store.withdraw(announced)
        return id
    }

    func discard() {
        guard file != nil else { return }
        file = nil
        store.withdraw(announced)
        store.discard(id)
    }
}

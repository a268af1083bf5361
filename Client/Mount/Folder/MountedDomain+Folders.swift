import BasketSupport
import FileProviderHost
import FileProviderReplica
import Glibc

// Folders that programs list.
extension MountedDomain {
    func openFolder(_ id: NodeID) async throws -> FuseReply {
        try await listOnce(id)
        host.replica.listedFolders.insert(id)
        let handle = handles.next()
        // What is in it is looked up by who asks for it, and that may be nobody.
        let holds = listings.open(id, as: handle)
        return .opened(OpenHandle(number: handle, keepsCache: holds, keepsListing: true))
    }

    private func stream(_ id: NodeID) throws -> FolderStream {
        FolderStream(try host.replica.read { try $0.childNumbers(of: id) })
    }

    func list(
        _ id: NodeID, _ handle: UInt64, after number: Int64, _ room: FuseListing
    ) throws -> FuseReply {
        var listing = room
        let stream: FolderStream
        if let known = handles.folder(handle), number > 0 {
            stream = known
        } else {
            // Begun now, once more, or by a process before this one.
            listings.note(handle, in: id)
            stream = try self.stream(id)
            handles.set(stream, at: handle)
        }
        return try host.replica.read { reader in
            guard let folder = try reader.node(id) else { throw LocalError.notFound }
            if number < FolderStream.own {
                let own = entry(try status(of: folder))
                guard listing.add(".", own, number: FolderStream.own) else {
                    return .listing(listing)
                }
            }
            if number < FolderStream.parents {
                let parent = try folder.trees.local.flatMap { try reader.node($0.parent) }
                let entry = entry(try status(of: parent ?? folder))
                guard listing.add("..", entry, number: FolderStream.parents) else {
                    return .listing(listing)
                }
            }
            for id in stream.nodes(after: max(number, FolderStream.parents)) {
                // It may have gone, or to somewhere else.
                guard let node = try reader.node(id), let local = node.trees.local,
                    local.parent == folder.id
                else { continue }
                let own = presentNumber(of: node)
                var status = try status(of: node, as: own)
                if listing.withStatus {
                    numbers.noteTold(own)
                    if node.kind == .file { view.noteTelling(status.size, of: own) }
                    status = try asOpenedSince(status, own)
                }
                let entry = entry(status, as: own)
                guard listing.add(local.name, entry, number: id.rawValue) else {
                    return .listing(listing)
                }
                guard listing.withStatus else { continue }
                view.note(node, status, as: own)
                // The kernel may have forgotten it just before, and the number have gone back to whose it is.
                if numbers.number(of: id) != own {
                    news?.look(for: KernelView.Place(folder: folder.id, name: local.name))
                }
            }
            for file in specials.files(in: id) where Int64(bitPattern: file.number) > number {
                // What has the name in the domain has it.
                if try reader.child(file.name, of: id) != nil { continue }
                let entry = entry(self.status(of: file))
                let place = Int64(bitPattern: file.number)
                guard listing.add(file.name, entry, number: place) else { break }
            }
            return .listing(listing)
        }
    }

    func releaseFolder(_ handle: UInt64) -> FuseReply {
        releaseFolderNow(handle)
        return .done
    }

    func releaseFolderNow(_ handle: UInt64) {
        listings.close(handle)
        handles.set(nil as FolderStream?, at: handle)
    }

    /// What was made and renamed is on the disk then, and what was written before goes along.
    func synchroniseFolder() async throws -> FuseReply {
        let replica = host.replica
        try await world.aside { try await replica.synchronise() }
        return .done
    }

    // MARK: The volume

    private static let blockSize = 4096
    /// As many as anybody could want.
    private static let files: UInt64 = 1 << 32

    func statistics() async throws -> FuseReply {
        let room = try await host.volumeRoom()
        func blocks(_ bytes: Int64) -> UInt64 { UInt64(max(0, bytes)) / UInt64(Self.blockSize) }
        return .statistics(
            VolumeStatistics(
                blockSize: Self.blockSize, blocks: blocks(room.total),
                freeBlocks: blocks(room.free), availableBlocks: blocks(room.available),
                files: Self.files, freeFiles: Self.files, longestName: CaseRule.longestName))
    }
}

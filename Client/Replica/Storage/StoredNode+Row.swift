import BasketDatabase
import BasketSupport
import FileProvider
import Foundation

extension StoredNode {
    /// What `unanswered` is made of: that the node is, and that it may have a place at the provider that it has not here.
    private static let unansweredBit: Int64 = 1
    private static let placesBit: Int64 = 2

    init(_ row: borrowing Row) throws(SQLiteError) {
        id = NodeID(rawValue: row.integer(NodeColumn.id.rawValue))
        let identifier = row.optionalText(NodeColumn.identifier.rawValue)
        self.identifier = identifier.map(NSFileProviderItemIdentifier.init(rawValue:))
        let bits = TreeBits(rawValue: Int(row.integer(NodeColumn.trees.rawValue)))
        var main = try Entry(row)
        if bits.contains(.local) {
            main.isBounced = row.integer(NodeColumn.bounced.rawValue) != 0
        }
        trees = NodeTrees(
            local: bits.contains(.local) ? main : nil,
            synced: bits.contains(.synced) ? try Self.other(row, .synced, main) : nil,
            remote: bits.contains(.remote) ? try Self.other(row, .remote, main) : nil)
        let metadata = row.optionalBytes(NodeColumn.metadata.rawValue)
        let base = row.optionalBytes(NodeColumn.baseMetadata.rawValue)
        remoteMetadata = metadata.map { Data($0) }
        syncedMetadata = (base ?? (bits.contains(.synced) ? metadata : nil)).map { Data($0) }
        let content = row.optionalBytes(NodeColumn.contentVersion.rawValue)
        let baseContent = row.optionalBytes(NodeColumn.baseContentVersion.rawValue)
        remoteContentVersion = content.map { Data($0) }
        if let baseContent {
            syncedContentVersion = baseContent.isEmpty ? nil : Data(baseContent)
        } else {
            syncedContentVersion = bits.contains(.synced) ? remoteContentVersion : nil
        }
        size = row.integer(NodeColumn.size.rawValue)
        remoteSize = row.optionalInteger(NodeColumn.remoteSize.rawValue) ?? size
        capabilities = NSFileProviderItemCapabilities(
            rawValue: UInt(bitPattern: Int(row.integer(NodeColumn.capabilities.rawValue))))
        policy =
            NSFileProviderContentPolicy(
                rawValue: Int(row.integer(NodeColumn.policy.rawValue))) ?? .inherited
        type = row.optionalText(NodeColumn.type.rawValue)
        facts = row.optionalBytes(NodeColumn.facts.rawValue)
        residence =
            Residence(rawValue: Int(row.integer(NodeColumn.residence.rawValue))) ?? .dataless
        file = row.optionalInteger(NodeColumn.file.rawValue)
        isFrozen = row.integer(NodeColumn.frozen.rawValue) != 0
        if let basis = row.optionalInteger(NodeColumn.basis.rawValue),
            let basisVersion = row.optionalBytes(NodeColumn.basisVersion.rawValue)
        {
            self.basis = Basis(file: basis, version: Data(basisVersion))
        }
        want = Want(rawValue: Int(row.integer(NodeColumn.wanted.rawValue))) ?? .asked
        here = row.integer(NodeColumn.here.rawValue)
        opened = Timestamp(nanoseconds: row.integer(NodeColumn.opened.rawValue))
        isListed = row.integer(NodeColumn.listed.rawValue) != 0
        isUnanswered = row.integer(NodeColumn.unanswered.rawValue) & Self.unansweredBit != 0
        muted = NSFileProviderItemFields(
            rawValue: UInt(bitPattern: Int(row.integer(NodeColumn.muted.rawValue))))
        exclusion = Exclusion(rawValue: Int(row.integer(NodeColumn.excluded.rawValue))) ?? .no
        turn = row.optionalInteger(NodeColumn.turn.rawValue)
        waits = row.optionalInteger(NodeColumn.waits.rawValue).map(NodeID.init(rawValue:))
        request = RequestedChange(stored: row.integer(NodeColumn.requested.rawValue))
        isUploading = row.integer(NodeColumn.uploading.rawValue) != 0
        touched = row.optionalInteger(NodeColumn.touched.rawValue).map(Timestamp.init(nanoseconds:))
        changed = row.optionalInteger(NodeColumn.changed.rawValue).map(Timestamp.init(nanoseconds:))
        if let bytes = row.optionalBytes(NodeColumn.unheard.rawValue) {
            guard let changes = EntryCoding.unheard(of: bytes) else {
                throw SQLiteError("node \(row.integer(0)) holds no changes")
            }
            unheard = changes
        }
    }

    /// What the synced or the remote tree says, in a blob of its own only where it is something else.
    private static func other(
        _ row: borrowing Row, _ column: NodeColumn, _ main: Entry
    ) throws(SQLiteError) -> Entry {
        guard let bytes = row.optionalBytes(column.rawValue) else {
            var same = main
            same.isBounced = false
            return same
        }
        guard let entry = EntryCoding.decode(bytes) else {
            throw SQLiteError("column \(column) of node \(row.integer(0)) holds no entry")
        }
        return entry
    }

    /// Its row's values, in the order of the columns.
    func values(_ rule: CaseRule) -> [SQLiteScalar] {
        guard let main else { return [] }
        var bits: TreeBits = []
        if trees.local != nil { bits.insert(.local) }
        if trees.synced != nil { bits.insert(.synced) }
        if trees.remote != nil { bits.insert(.remote) }
        // Of a node that lies elsewhere here, or nowhere, the remote tree's place has columns of its own.
        let stray = trees.remote.flatMap { remote in
            trees.local.map { remote.isAt($0) } == true ? nil : remote
        }
        var values: [SQLiteScalar] = []
        values.reserveCapacity(NodeColumn.allCases.count)
        values.append(id.sqlite)
        values.append(identifier.map { .text($0.rawValue) } ?? .null)
        values.append(bits.rawValue.sqlite)
        main.append(to: &values)
        values.append(blob(of: trees.synced, beside: main).sqlite)
        values.append(blob(of: trees.remote, beside: main).sqlite)
        values.append((stray?.parent).sqlite)
        values.append(stray.map { .blob(rule.collisionKey(of: $0.name)) } ?? .null)
        values.append(remoteMetadata.map { .blob(Array($0)) } ?? .null)
        let base = syncedMetadata == remoteMetadata ? nil : syncedMetadata
        values.append(base.map { .blob(Array($0)) } ?? .null)
        values.append(remoteSize == size ? .null : .integer(remoteSize))
        values.append(trees.local.map { .blob(rule.collisionKey(of: $0.name)) } ?? .null)
        values.append(.integer(size))
        values.append(.integer(Int64(bitPattern: UInt64(capabilities.rawValue))))
        values.append(policy.rawValue.sqlite)
        values.append(type.sqlite)
        values.append(facts.sqlite)
        values.append(residence.rawValue.sqlite)
        values.append(file.sqlite)
        values.append(isFrozen.sqlite)
        values.append((basis?.file).sqlite)
        values.append(basis.map { .blob(Array($0.version)) } ?? .null)
        values.append(.integer(Int64(want.rawValue)))
        values.append(.integer(here))
        values.append(opened.sqlite)
        values.append(isListed.sqlite)
        values.append(
            .integer(
                (isUnanswered ? Self.unansweredBit : 0)
                    | (placesAskedFor.isEmpty ? 0 : Self.placesBit)))
        values.append(.integer(Int64(bitPattern: UInt64(muted.rawValue))))
        values.append(exclusion.rawValue.sqlite)
        values.append(turn.sqlite)
        values.append(waits.sqlite)
        values.append(request.stored.sqlite)
        values.append(isUploading.sqlite)
        values.append(EntryCoding.encode(unheard: unheard).sqlite)
        values.append(remoteContentVersion.map { .blob(Array($0)) } ?? .null)
        let baseContent =
            syncedContentVersion == remoteContentVersion ? nil : syncedContentVersion ?? Data()
        values.append(baseContent.map { .blob(Array($0)) } ?? .null)
        values.append(touched.sqlite)
        values.append(changed.sqlite)
        return values
    }

    private func blob(of entry: Entry?, beside main: Entry) -> [UInt8]? {
        guard let entry else { return nil }
        var plain = main
        plain.isBounced = false
        return entry == plain ? nil : EntryCoding.encode(entry)
    }
}

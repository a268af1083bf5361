import BasketSupport
import FileProvider
import FileProviderReplica
import Foundation
import Synchronization

/// One device's extension for the cloud, over a network that delays, loses questions and loses answers.
class CloudExtension: NSObject, NSFileProviderReplicatedExtension, @unchecked Sendable {
    let cloud: Cloud
    let world: World
    let network: Network
    private let device: String

    init(_ cloud: Cloud, device: String, network: Network, world: World) {
        self.cloud = cloud
        self.device = device
        self.network = network
        self.world = world
    }

    /// What it does not want: the device keeps it.
    private func requireWanted(_ name: String) throws {
        if name.hasSuffix(".local") { throw NSFileProviderError(.excludedFromSync) }
        if name.hasPrefix("impossible") { throw NSFileProviderError(.cannotSynchronize) }
    }

    func happens(oneIn count: Int) -> Bool { network.happens(oneIn: count) }

    /// Old anchors and pages are forgotten now and then, but not for everybody: telling everything again mends
    /// what was missed, and hides that it was.
    func forgetsNow(_ error: NSFileProviderError.Code) throws {
        if network.takeForgetting() || network.forgets && network.happens(oneIn: 40) {
            throw NSFileProviderError(error)
        }
    }

    required init(domain: NSFileProviderDomain) {
        fatalError("the simulation makes its extensions itself")
    }

    func invalidate() {}

    func enumerator(
        for containerItemIdentifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest
    ) throws -> any NSFileProviderEnumerator {
        network.companion.askedUnder.append(request.domainVersion?.stored)
        let item = cloud.record(containerItemIdentifier.rawValue)
        if let item, !item.isFolder { network.note(told: "\(item.name) is open") }
        return CloudEnumerator(
            self,
            container: containerItemIdentifier == .workingSet
                ? nil : containerItemIdentifier.rawValue)
    }

    func item(
        for identifier: NSFileProviderItemIdentifier, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable ((any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        exchange(about: "item \(identifier.rawValue)") {
            try self.network.companion.requireSpoken(identifier.rawValue)
            guard let item = self.cloud.record(identifier.rawValue) else {
                throw NSFileProviderError(.noSuchItem)
            }
            return CloudItem(item)
        } _: { result in
            switch result {
            case .success(let item): completionHandler(item.shown, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    func fetchContents(
        for itemIdentifier: NSFileProviderItemIdentifier,
        version requestedVersion: NSFileProviderItemVersion?, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (URL?, (any NSFileProviderItemProtocol)?, (any Error)?) -> Void
    ) -> Progress {
        network.noteFetch(isAwaited: !request.isSystemRequest)
        network.companion.askedUnder.append(request.domainVersion?.stored)
        return exchange(about: "fetch \(itemIdentifier.rawValue)", as: "download") {
            if let failure = self.network.companion.fetchFailure { throw failure }
            let item = try self.cloud.state.withLock { state in
                guard var item = state.items[itemIdentifier.rawValue] else {
                    throw NSFileProviderError(.noSuchItem)
                }
                item.id = self.network.companion.fetchedItem ?? item.id
                return CloudItem(item)
            }
            let path = try self.network.temporaryFile(Array(item.record.content.utf8))
            return (URL(fileURLWithPath: path), item)
        } _: { result in
            switch result {
            case .success(let (url, item)): completionHandler(url, item.shown, nil)
            case .failure(let error): completionHandler(nil, nil, error)
            }
        }
    }

    func createItem(
        basedOn itemTemplate: any NSFileProviderItemProtocol, fields: NSFileProviderItemFields,
        contents url: URL?, options: NSFileProviderCreateItemOptions,
        request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        network.noteCreation()
        network.companion.creations.append(AskedCreation(itemTemplate, options))
        guard let answer = network.companion.creationAnswer else {
            return make(itemTemplate, url, options, completionHandler)
        }
        return exchange {
            switch answer {
            case .item(let record): return CloudItem(record)
            case .failure(let error): throw error
            }
        } _: { result in
            switch result {
            case .success(let item): completionHandler(item.shown, [], false, nil)
            case .failure(let error): completionHandler(nil, [], false, error)
            }
        }
    }

    private func make(
        _ itemTemplate: any NSFileProviderItemProtocol, _ url: URL?,
        _ options: NSFileProviderCreateItemOptions,
        _ completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        let unstored = network.companion.unstored
        let type: UTTypeBox = UTTypeBox(itemTemplate)
        let template = Cloud.Record(
            id: "", parent: itemTemplate.parentItemIdentifier.rawValue,
            name: itemTemplate.filename, isFolder: type.isFolder,
            target: itemTemplate.symlinkTargetPath?.flatMap(\.self),
            tags: unstored.contains(.tagData) ? nil : itemTemplate.tagData?.flatMap(\.self),
            details: cloud.keepsDetails ? Cloud.Details(itemTemplate) : nil)
        let tags: Data? = itemTemplate.tagData?.flatMap(\.self)
        let isUnknown =
            options.contains(.mayAlreadyExist) && !type.isFolder && url == nil
            && template.target == nil
            && !cloud.knows(template.name, in: template.parent)
        if isUnknown || template.name.hasPrefix("refused") {
            guard network.companion.pauseBeforeAnswers != nil else {
                completionHandler(nil, [], false, nil)
                return Progress()
            }
            return exchange(about: "refuse \(template.name)", as: "creation") {
            } _: { _ in
                completionHandler(nil, [], false, nil)
            }
        }
        let key =
            device + itemTemplate.itemIdentifier.rawValue
            + (options.contains(.deletionConflicted) ? " again" : "")
        let asked = network.now
        let origin = itemTemplate.itemIdentifier.rawValue
        return exchange(
            about: "create \(template.name) in \(template.parent)",
            as: url == nil ? "metadata" : "upload", of: origin
        ) {
            var record = template
            // Files are read while they are sent, and must be there for so long.
            record.content =
                unstored.contains(.contents) ? "" : try self.network.read(url) ?? ""
            let wanted = record
            return try self.cloud.change { state -> (CloudItem, Bool) in
                if let known = state.made[key], let item = state.items[known.id] {
                    // What somebody asked who is dead by now is no news.
                    let isOld = url == nil || asked < known.asked
                    let content = isOld ? known.content : wanted.content
                    return self.repeated(content, known.content, item, &state)
                }
                if options.contains(.mayAlreadyExist),
                    let item = state.child(wanted.name, of: wanted.parent),
                    item.isFolder == wanted.isFolder, item.target == wanted.target
                {
                    if url != nil, item.content != wanted.content {
                        state.keepBeside(item, content: wanted.content)
                    }
                    return (CloudItem(item), url != nil && item.content != wanted.content)
                }
                // It may have come before the item was deleted, by a call whose answer nobody heard.
                if options.contains(.deletionConflicted),
                    let copy = state.copy(of: origin, content: wanted.content)
                {
                    return (CloudItem(copy), false)
                }
                try self.requireWanted(wanted.name)
                guard state.isThere(wanted.parent) else {
                    throw NSError.fileProviderErrorForNonExistentItem(
                        withIdentifier: NSFileProviderItemIdentifier(wanted.parent))
                }
                if state.child(wanted.name, of: wanted.parent) != nil, self.network.refusesNames {
                    throw NSFileProviderError(.filenameCollision)
                }
                var item = wanted
                item.id = state.newID()
                item.name = state.freeName(wanted.name, in: wanted.parent, for: item.id)
                item.contentVersion = 1
                item.metadataVersion = 1
                state.items[item.id] = item
                state.made[key] = (item.id, item.content, asked)
                state.touch(item.id)
                if self.network.companion.saysUnstored { item.tags = tags }
                return (CloudItem(item), false)
            }
        } _: { result in
            switch result {
            case .success(let (item, shouldFetch)):
                completionHandler(item.shown, unstored, shouldFetch, nil)
            case .failure(let error): completionHandler(nil, [], false, error)
            }
        }
    }

    /// A creation that was asked for before, and whose answer was lost. Its content may be another one by
    /// now, and so may the item's.
    private func repeated(
        _ content: String, _ made: String, _ item: Cloud.Record, _ state: inout Cloud.State
    ) -> (CloudItem, Bool) {
        var item = item
        if content != made, content != item.content {
            if item.content == made {
                item.content = content
                item.contentVersion += 1
                state.items[item.id] = item
                state.touch(item.id)
            } else {
                state.keepBeside(item, content: content)
            }
        }
        return (CloudItem(item), item.content != content)
    }

    func importDidFinish(completionHandler: @escaping @Sendable () -> Void) {
        network.companion.imports.append(network.created)
        if network.companion.holdsImport { return }
        completionHandler()
    }

    func modifyItem(
        _ item: any NSFileProviderItemProtocol, baseVersion version: NSFileProviderItemVersion,
        changedFields: NSFileProviderItemFields, contents newContents: URL?,
        options: NSFileProviderModifyItemOptions, request: NSFileProviderRequest,
        completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void
    ) -> Progress {
        network.note(modified: changedFields)
        network.companion.versions.append(request.domainVersion?.stored)
        let id = item.itemIdentifier.rawValue
        network.companion.changeOptions[id] = options
        if let other = network.companion.merged[id] {
            return keep(other, [], completionHandler, insteadOf: id)
        }
        let (parent, name) = (item.parentItemIdentifier.rawValue, item.filename)
        let tags: Data? = item.tagData?.flatMap(\.self)
        let details = cloud.keepsDetails ? Cloud.Details(item) : nil
        let base = String(decoding: version.contentVersion, as: UTF8.self)
        let unstored = network.companion.unstoredOfChange.intersection(changedFields)
        let stored = changedFields.subtracting(unstored)
        let companion = network.companion
        if network.keepsPending { return keep(id, changedFields, completionHandler) }
        return exchange(
            about: "modify \(id) \(changedFields.rawValue)",
            as: newContents == nil ? "metadata" : "upload", of: id
        ) {
            let content = try self.network.read(newContents) ?? ""
            return try self.cloud.change { state -> (CloudItem, Bool) in
                guard var record = state.items[id] else { throw NSFileProviderError(.noSuchItem) }
                try self.requireWanted(name)
                if state.keepsFormer { state.former.append(record) }
                var shouldFetch = false
                if stored.contains(.contents), content != record.content {
                    let line = "\(self.device) \(id) \(base) \(content)"
                    if base == "\(record.contentVersion)" {
                        state.taken.insert(line)
                        record.content = content
                        record.contentVersion += 1
                        state.writers[id] = self.device
                    } else if record.name.hasPrefix("strict") || options.contains(.failOnConflict) {
                        throw NSFileProviderError(.localVersionConflictingWithServer)
                    } else if state.taken.contains(line) {
                        shouldFetch = true
                    } else {
                        state.noteRace(of: record, content: content, device: self.device)
                        state.keepBeside(record, content: content)
                        shouldFetch = true
                    }
                }
                if !stored.contains(.contents), !record.isFolder, record.target == nil {
                    shouldFetch = base != "\(record.contentVersion)"
                }
                if stored.contains(.parentItemIdentifier) {
                    guard state.isThere(parent) else {
                        throw NSError.fileProviderErrorForNonExistentItem(
                            withIdentifier: NSFileProviderItemIdentifier(parent))
                    }
                    if !state.lies(parent, below: id) { record.parent = parent }
                }
                if stored.contains(.filename) { record.name = name }
                if stored.contains(.tagData) { record.tags = tags }
                if let details { record.details?.take(stored, from: details) }
                record.name = state.freeName(record.name, in: record.parent, for: id)
                record.metadataVersion += 1
                if companion.renamesContents { record.contentVersion += 1 }
                state.items[id] = record
                state.touch(id)
                if companion.saysUnstored { record.tags = tags }
                return (CloudItem(record), shouldFetch || companion.wantsFetch)
            }
        } _: { result in
            switch result {
            case .success(let (item, shouldFetch)):
                completionHandler(
                    item.shown, unstored.union(companion.alwaysPending), shouldFetch, nil)
            case .failure(let error): completionHandler(nil, [], false, error)
            }
        }
    }

    /// Nothing of it is taken now.
    /// - Parameter former: what turns out to be this one. A folder stays for what is in it.
    private func keep(
        _ id: String, _ fields: NSFileProviderItemFields,
        _ completionHandler:
            @escaping @Sendable (
                (any NSFileProviderItemProtocol)?, NSFileProviderItemFields, Bool, (any Error)?
            ) -> Void,
        insteadOf former: String? = nil
    ) -> Progress {
        exchange {
            self.cloud.state.withLock { state in
                if let former, state.items[former]?.isFolder == false { state.items[former] = nil }
                return state.items[id].map { CloudItem($0) }
            }
        } _: { result in
            switch result {
            case .success(let item): completionHandler(item?.shown, fields, false, nil)
            case .failure(let error): completionHandler(nil, [], false, error)
            }
        }
    }

    func deleteItem(
        identifier: NSFileProviderItemIdentifier, baseVersion version: NSFileProviderItemVersion,
        options: NSFileProviderDeleteItemOptions, request: NSFileProviderRequest,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        let id = identifier.rawValue
        let base = String(decoding: version.contentVersion, as: UTF8.self)
        return exchange(about: "delete \(id)", of: id) {
            try self.cloud.change { state in
                guard let record = state.items[id] else { return }
                if record.isFolder, state.items.values.contains(where: { $0.parent == id }) {
                    throw NSFileProviderError(.directoryNotEmpty)
                }
                if base != "\(record.contentVersion)" {
                    throw NSFileProviderError(.deletionRejected)
                }
                if state.keepsFormer { state.former.append(record) }
                state.items[id] = nil
                state.gone.append(record)
                state.touch(id)
            }
        } _: { result in
            switch result {
            case .success: completionHandler(nil)
            case .failure(let error): completionHandler(error)
            }
        }
    }
}

import FileProvider
import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("An item")
struct ItemTests {
    @Test("that implements nothing optional reads as nil through the protocol")
    func absent() {
        let item: NSFileProviderItem = MinimalItem(.init("a.txt"))

        #expect(item.contentType == nil)
        #expect(item.itemVersion == nil)
        #expect(item.capabilities == nil)
        #expect(item.fileSystemFlags == nil)
        #expect(item.typeAndCreator == nil)
        #expect(item.extendedAttributes == nil)
        #expect(item.isUploaded == nil)
        #expect(item.contentPolicy == nil)
        let size: NSNumber?? = item.documentSize
        #expect(size == .some(.none) || size == nil)
        if case .some = item.tagData { Issue.record("tags that are not implemented") }
        if case .some = item.creationDate { Issue.record("a date that is not implemented") }
        if case .some = item.userInfo { Issue.record("information that is not implemented") }
    }

    @Test("that implements everything reads as it says, even when it says nothing")
    func present() {
        let item: NSFileProviderItem = FullItem()

        #expect(item.contentType == .plainText)
        #expect(item.itemVersion?.contentVersion == Data([1]))
        #expect(item.capabilities == .some([]))
        #expect(item.fileSystemFlags == .some([]))
        #expect(item.typeAndCreator?.creator == 2)
        #expect(item.extendedAttributes == .some([:]))
        #expect(item.isUploaded == false)
        guard case .some(.none) = item.tagData else {
            Issue.record("tags that say nothing are still tags")
            return
        }
        guard case .some(.none) = item.userInfo else {
            Issue.record("information that says nothing is still information")
            return
        }
        #expect((item as? any NSFileProviderItemDecorating)?.decorations == [.init("badge")])
    }

    @Test("has the values of absent members that the API names")
    func defaults() {
        let item: NSFileProviderItem = MinimalItem(.init("a.jpeg"))

        let isUploaded: Bool = item.isUploaded
        let policy: NSFileProviderContentPolicy = item.contentPolicy
        let type: UTType = item.contentType
        let attributes: [String: Data] = item.extendedAttributes
        #expect(isUploaded)
        #expect(policy == .inherited)
        #expect(type == .jpeg)
        #expect(attributes.isEmpty)
    }

    @Test("is asked once, whoever else asks at that moment")
    func concurrently() async {
        /// A class of its own, which nobody has asked yet.
        final class Fresh: MinimalItem, @unchecked Sendable {}
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let item: NSFileProviderItem = Fresh(.init("a"))
                    let full: NSFileProviderItem = FullItem()
                    return item.capabilities == nil && full.capabilities != nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == [Bool](repeating: true, count: 200))
    }

    @Test("has versions that are equal when both components are")
    func versions() {
        let version = NSFileProviderItemVersion(
            contentVersion: Data([1]), metadataVersion: Data([2]))
        let same = NSFileProviderItemVersion(contentVersion: Data([1]), metadataVersion: Data([2]))
        let other = NSFileProviderItemVersion(contentVersion: Data([2]), metadataVersion: Data([1]))

        #expect(version == same)
        #expect(Set([version, same, other]).count == 2)
        #expect(NSFileProviderItemVersion.beforeFirstSyncComponent.count <= 128)
    }
}

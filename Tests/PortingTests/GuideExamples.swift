import FileProvider
import UniformTypeIdentifiers

/// What `docs/file-provider.md` shows as the way to write things here, so that it is known to compile.
enum GuideExamples {
    static func explain(_ error: Error) -> String {
        if let error = NSFileProviderError(bridging: error), error.code == .notAuthenticated {
            return "Sign in again."
        }
        return error.localizedDescription
    }

    static func missing(_ error: NSError) -> NSFileProviderItemIdentifier? {
        let name = error.userInfo[NSFileProviderErrorNonExistentItemIdentifierKey] as? String
        return name.map { NSFileProviderItemIdentifier($0) }
    }

    static func download(_ parts: [URL], load: @escaping (URL, SharedProgress) -> Void) -> Progress
    {
        let progress = SharedProgress(totalUnitCount: Int64(parts.count))
        for part in parts {
            let child = SharedProgress(totalUnitCount: 100)
            progress.addChild(child, withPendingUnitCount: 1)
            load(part, child)
        }
        return progress
    }

    final class MaterializedSet: NSObject, NSFileProviderEnumerationObserver, @unchecked Sendable {
        private let lock = NSLock()
        private var identifiers: Set<NSFileProviderItemIdentifier> = []

        func didEnumerate(_ updatedItems: [NSFileProviderItem]) {
            lock.withLock { identifiers.formUnion(updatedItems.map { $0.itemIdentifier }) }
        }

        func finishEnumerating(upTo nextPage: NSFileProviderPage?) {}
        func finishEnumeratingWithError(_ error: Error) {}
    }

    final class VersionService: NSFileProviderServiceSource {
        let serviceName = NSFileProviderServiceName("org.example.notebook.versions")
        let socket: URL

        init(socket: URL) {
            self.socket = socket
        }

        func makeListenerEndpoint() throws -> NSXPCListenerEndpoint {
            NSXPCListenerEndpoint(socket: socket)
        }
    }

    class Node: NSObject, NSFileProviderItem {
        let itemIdentifier: NSFileProviderItemIdentifier
        let filename: String

        init(_ itemIdentifier: NSFileProviderItemIdentifier, _ filename: String) {
            self.itemIdentifier = itemIdentifier
            self.filename = filename
        }

        var parentItemIdentifier: NSFileProviderItemIdentifier { .rootContainer }
        var documentSize: NSNumber? { nil }
    }

    final class Document: Node {
        override var documentSize: NSNumber? { 5 }
    }

    static func type(of file: URL) -> UTType {
        UTType(filenameExtension: file.pathExtension) ?? .data
    }

    static func item(
        _ identifier: NSFileProviderItemIdentifier, of provider: NSFileProviderReplicatedExtension
    ) async throws -> String {
        try await withCheckedThrowingContinuation { done in
            _ = provider.item(for: identifier, request: NSFileProviderRequest()) { item, error in
                if let item = item {
                    done.resume(returning: item.filename)
                } else {
                    done.resume(throwing: error ?? CocoaError(.featureUnsupported))
                }
            }
        }
    }
}

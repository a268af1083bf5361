import FileProvider
import Foundation
import Testing

@Suite("Raw values")
struct RawValueTests {
    @Test(
        "of identifiers are Apple's",
        arguments: [
            (
                NSFileProviderItemIdentifier.rootContainer,
                "NSFileProviderRootContainerItemIdentifier"
            ),
            (.workingSet, "NSFileProviderWorkingSetContainerItemIdentifier"),
            (.trashContainer, "NSFileProviderTrashContainerItemIdentifier"),
        ])
    func identifier(_ identifier: NSFileProviderItemIdentifier, is text: String) {
        #expect(identifier.rawValue == text)
        #expect(NSFileProviderItemIdentifier(text) == NSFileProviderItemIdentifier(rawValue: text))
    }

    @Test(
        "of fields are Apple's",
        arguments: [
            (NSFileProviderItemFields.contents, 0x001), (.filename, 0x002),
            (.parentItemIdentifier, 0x004), (.lastUsedDate, 0x008), (.tagData, 0x010),
            (.favoriteRank, 0x020), (.creationDate, 0x040), (.contentModificationDate, 0x080),
            (.fileSystemFlags, 0x100), (.extendedAttributes, 0x200), (.typeAndCreator, 0x400),
        ] as [(NSFileProviderItemFields, UInt)])
    func field(_ field: NSFileProviderItemFields, is value: UInt) {
        #expect(field.rawValue == value)
    }

    @Test(
        "of capabilities are Apple's",
        arguments: [
            (NSFileProviderItemCapabilities.allowsReading, 1), (.allowsWriting, 2),
            (.allowsReparenting, 4), (.allowsRenaming, 8), (.allowsTrashing, 16),
            (.allowsDeleting, 32), (.allowsEvicting, 64), (.allowsExcludingFromSync, 128),
            (.allowsAddingSubItems, 2), (.allowsContentEnumerating, 1), (.allowsAll, 63),
        ] as [(NSFileProviderItemCapabilities, UInt)])
    func capability(_ capability: NSFileProviderItemCapabilities, is value: UInt) {
        #expect(capability.rawValue == value)
    }

    @Test(
        "of other options are Apple's",
        arguments: [
            (NSFileProviderCreateItemOptions.mayAlreadyExist.rawValue, 1),
            (NSFileProviderCreateItemOptions.deletionConflicted.rawValue, 2),
            (NSFileProviderModifyItemOptions.mayAlreadyExist.rawValue, 1),
            (NSFileProviderModifyItemOptions.failOnConflict.rawValue, 2),
            (
                NSFileProviderModifyItemOptions.isImmediateUploadRequestByPresentingApplication
                    .rawValue, 4
            ),
            (NSFileProviderDeleteItemOptions.recursive.rawValue, 1),
            (NSFileProviderFetchContentsOptions.strictVersioning.rawValue, 1),
            (NSFileProviderMaterializationFlags.knownSparseRanges.rawValue, 1),
            (NSFileProviderFileSystemFlags.userExecutable.rawValue, 1),
            (NSFileProviderFileSystemFlags.userReadable.rawValue, 2),
            (NSFileProviderFileSystemFlags.userWritable.rawValue, 4),
            (NSFileProviderFileSystemFlags.hidden.rawValue, 8),
            (NSFileProviderFileSystemFlags.pathExtensionHidden.rawValue, 16),
            (NSFileProviderVolumeUnsupportedReason.unknown.rawValue, 1),
            (NSFileProviderVolumeUnsupportedReason.nonAPFS.rawValue, 2),
            (NSFileProviderVolumeUnsupportedReason.nonEncrypted.rawValue, 4),
            (NSFileProviderVolumeUnsupportedReason.readOnly.rawValue, 8),
            (NSFileProviderVolumeUnsupportedReason.network.rawValue, 16),
            (NSFileProviderVolumeUnsupportedReason.quarantined.rawValue, 32),
            (NSFileProviderKnownFolders.desktop.rawValue, 1),
            (NSFileProviderKnownFolders.documents.rawValue, 2),
            (NSFileProviderDomain.TestingModes.alwaysEnabled.rawValue, 1),
            (NSFileProviderDomain.TestingModes.interactive.rawValue, 2),
            (NSFileProviderManager.DisconnectionOptions.temporary.rawValue, 1),
        ] as [(UInt, UInt)])
    func option(_ option: UInt, is value: UInt) {
        #expect(option == value)
    }

    @Test(
        "of enumerations are Apple's",
        arguments: [
            (NSFileProviderContentPolicy.inherited.rawValue, 0),
            (NSFileProviderContentPolicy.downloadLazily.rawValue, 1),
            (NSFileProviderContentPolicy.downloadLazilyAndEvictOnRemoteUpdate.rawValue, 2),
            (NSFileProviderContentPolicy.downloadEagerlyAndKeepDownloaded.rawValue, 3),
            (NSFileProviderManager.DomainRemovalMode.removeAll.rawValue, 0),
            (NSFileProviderManager.DomainRemovalMode.preserveDirtyUserData.rawValue, 1),
            (NSFileProviderManager.DomainRemovalMode.preserveDownloadedUserData.rawValue, 2),
            (NSFileProviderTestingOperationType.ingestion.rawValue, 0),
            (NSFileProviderTestingOperationType.lookup.rawValue, 1),
            (NSFileProviderTestingOperationType.creation.rawValue, 2),
            (NSFileProviderTestingOperationType.modification.rawValue, 3),
            (NSFileProviderTestingOperationType.deletion.rawValue, 4),
            (NSFileProviderTestingOperationType.contentFetch.rawValue, 5),
            (NSFileProviderTestingOperationType.childrenEnumeration.rawValue, 6),
            (NSFileProviderTestingOperationType.collisionResolution.rawValue, 7),
            (Int(NSFileProviderTestingOperationSide.disk.rawValue), 0),
            (Int(NSFileProviderTestingOperationSide.fileProvider.rawValue), 1),
        ])
    func enumeration(_ raw: Int, is value: Int) {
        #expect(raw == value)
    }

    @Test(
        "of errors are Apple's",
        arguments: [
            (NSFileProviderError.notAuthenticated, -1000), (.filenameCollision, -1001),
            (.syncAnchorExpired, -1002), (.pageExpired, -1002), (.insufficientQuota, -1003),
            (.serverUnreachable, -1004), (.noSuchItem, -1005), (.deletionRejected, -1006),
            (.directoryNotEmpty, -1007), (.providerNotFound, -2001),
            (.providerTranslocated, -2002), (.olderExtensionVersionRunning, -2003),
            (.newerExtensionVersionFound, -2004), (.cannotSynchronize, -2005),
            (.nonEvictableChildren, -2006), (.unsyncedEdits, -2007), (.nonEvictable, -2008),
            (.versionNoLongerAvailable, -2009), (.excludedFromSync, -2010),
            (.domainDisabled, -2011), (.providerDomainTemporarilyUnavailable, -2012),
            (.providerDomainNotFound, -2013), (.applicationExtensionNotFound, -2014),
            (.localVersionConflictingWithServer, -2015),
        ])
    func error(_ code: NSFileProviderError.Code, is value: Int) {
        #expect(code.rawValue == value)
        let error = NSFileProviderError(code, userInfo: ["why": "because"]) as NSError
        #expect(error.domain == "NSFileProviderErrorDomain")
        #expect(error.code == value)
        #expect(error.userInfo["why"] as? String == "because")
    }

    @Test("of Foundation's errors are those that the API names")
    func foundation() {
        let codes: [CocoaError.Code] = [
            .fileNoSuchFile, .fileReadNoPermission, .fileWriteNoPermission, .fileWriteFileExists,
            .userCancelled, .featureUnsupported, .ubiquitousFileUnavailable,
        ]
        #expect(codes.map(\.rawValue) == [4, 257, 513, 516, 3072, 3328, 4353])
    }

    @Test("that Apple does not tell are what the documentation says")
    func ours() {
        func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
        #expect(
            text(NSFileProviderPage.initialPageSortedByName as Data)
                == "NSFileProviderInitialPageSortedByName")
        #expect(
            text(NSFileProviderPage.initialPageSortedByDate as Data)
                == "NSFileProviderInitialPageSortedByDate")
        #expect(
            text(NSFileProviderItemVersion.beforeFirstSyncComponent) == "\0before-first-sync")
        #expect(NSFileProviderFavoriteRankUnranked == .max)
        #expect(
            NSFileProviderUserInfoKey.experimentID.rawValue == "NSFileProviderUserInfoExperimentID")
        #expect(
            Notification.Name.fileProviderDomainDidChange.rawValue
                == "NSFileProviderDomainDidChange")
    }
}

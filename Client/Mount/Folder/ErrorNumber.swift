import BasketDatabase
import BasketSupport
import FileProvider
import FileProviderHost
import FileProviderReplica
import Foundation
import Glibc

/// What a program is told of an error. Trouble with the network has numbers of its own: it is never a missing file.
enum ErrorNumber {
    static func of(_ error: any Error) -> Int32 {
        switch error {
        case let error as Refusal: error.code
        case let error as LocalError: of(error)
        case let error as FileError: error.code
        case let error as SQLiteError: error.isFull ? ENOSPC : EIO
        case is CancellationError: EINTR
        case let error as HostError: of(error)
        default: NSFileProviderError(bridging: error).map { of($0.code) } ?? EIO
        }
    }

    private static func of(_ error: LocalError) -> Int32 {
        switch error {
        case .notFound: ENOENT
        case .exists: EEXIST
        case .notEmpty: ENOTEMPTY
        case .notAFolder: ENOTDIR
        case .isAFolder: EISDIR
        case .intoItself: EINVAL
        case .badName(.tooLong): ENAMETOOLONG
        case .badName: EINVAL
        case .permanent: EBUSY
        case .dataless: EACCES
        case .notForWriting: EBADF
        case .notAllowed: EACCES
        case .noRoom, .tooManyAttributes: ENOSPC
        case .unlisted: EHOSTUNREACH
        case .stale: ESTALE
        }
    }

    private static func of(_ error: HostError) -> Int32 {
        switch error {
        case .timedOut: ETIMEDOUT
        case .disconnected, .interrupted: EHOSTUNREACH
        case .badItem, .badAnswer, .badEnumeration, .overtaken, .outdated, .notInteractive: EIO
        }
    }

    private static func of(_ code: NSFileProviderError.Code) -> Int32 {
        switch code {
        case .serverUnreachable, .providerDomainTemporarilyUnavailable, .domainDisabled:
            EHOSTUNREACH
        case .notAuthenticated: EKEYREJECTED
        case .noSuchItem: ENOENT
        case .insufficientQuota: EDQUOT
        case .filenameCollision: EEXIST
        case .directoryNotEmpty: ENOTEMPTY
        case .versionNoLongerAvailable: ESTALE
        default: EIO
        }
    }
}

import BasketSupport

/// What a request demands of the present state of what it is about, as RFC 9110 orders it.
package struct HTTPConditions: Sendable, Equatable {
    /// What to do with the request.
    package enum Verdict: Equatable, Sendable {
        case proceed
        /// 304: the client has it already.
        case notModified
        /// 412: it changed, or is gone, or is there.
        case failed
    }

    private enum Tags: Equatable {
        case none
        case list(HTTPETagList)
        /// A header that cannot be read: no tag matches it, so that a write is not done by mistake.
        case unreadable
    }

    private let ifMatch: Tags
    private let ifNoneMatch: Tags
    private let ifModifiedSince: Timestamp?
    private let ifUnmodifiedSince: Timestamp?

    package init(_ headers: HTTPHeaders) {
        ifMatch = Self.tags(headers.all("If-Match"))
        ifNoneMatch = Self.tags(headers.all("If-None-Match"))
        ifModifiedSince = headers["If-Modified-Since"].flatMap(Timestamp.init(httpDate:))
        ifUnmodifiedSince = headers["If-Unmodified-Since"].flatMap(Timestamp.init(httpDate:))
    }

    /// - Parameters:
    ///   - etag: of the present state; nil where there is nothing.
    ///   - modified: when it last changed, if that is known.
    ///   - isRead: for GET and HEAD, which are answered with 304 where others fail.
    package func verdict(etag: HTTPETag?, modified: Timestamp?, isRead: Bool) -> Verdict {
        switch ifMatch {
        case .none:
            // Dates hold whole seconds, and are looked at only where there is no tag.
            if let ifUnmodifiedSince, let modified, modified.seconds > ifUnmodifiedSince.seconds {
                return .failed
            }
        case .unreadable: return .failed
        case .list(.any): if etag == nil { return .failed }
        case .list(.tags(let tags)):
            guard let etag, tags.contains(where: etag.isSame) else { return .failed }
        }
        switch ifNoneMatch {
        case .none:
            if isRead, let ifModifiedSince, let modified,
                modified.seconds <= ifModifiedSince.seconds
            {
                return .notModified
            }
            return .proceed
        case .unreadable: return isRead ? .proceed : .failed
        case .list(.any): return etag == nil ? .proceed : isRead ? .notModified : .failed
        case .list(.tags(let tags)):
            guard let etag, tags.contains(where: etag.isEquivalent) else { return .proceed }
            return isRead ? .notModified : .failed
        }
    }

    private static func tags(_ values: [String]) -> Tags {
        guard !values.isEmpty else { return .none }
        return HTTPETagList(values).map(Tags.list) ?? .unreadable
    }
}

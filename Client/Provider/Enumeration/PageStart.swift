import FileProvider
import Foundation

/// Where a page of a listing begins: in one of two orders, at the beginning or where the page before ended.
package struct PageStart: Equatable, Sendable {
    /// The server gives no more at once.
    private static let mostItems = 1000
    private static let byDate = "d"
    private static let byName = "n"

    let isByDate: Bool
    /// The server's cursor; nil at the beginning.
    package let token: String?

    package init(_ page: NSFileProviderPage) {
        let text = String(decoding: page.rawValue, as: UTF8.self)
        if page == NSFileProviderPage.initialPageSortedByDate as NSFileProviderPage {
            (isByDate, token) = (true, nil)
        } else if page == NSFileProviderPage.initialPageSortedByName as NSFileProviderPage
            || text.isEmpty
        {
            (isByDate, token) = (false, nil)
        } else {
            // What is no page of ours is no cursor of the server's, who will say so.
            (isByDate, token) = (text.hasPrefix(Self.byDate), String(text.dropFirst()))
        }
    }

    package func next(_ token: String) throws -> NSFileProviderPage {
        let data = Data(((isByDate ? Self.byDate : Self.byName) + token).utf8)
        guard data.count <= NSFileProviderPage.mostBytes else {
            throw ProviderFailure.unsupported("The server's cursor is too long for a page.")
        }
        return NSFileProviderPage(data)
    }

    /// As many as the server gives, and not too many for the system, which takes a hundred times as many as it
    /// suggests.
    static func limit(_ suggested: Int) -> Int {
        min(mostItems, max(1, suggested) * 50)
    }
}

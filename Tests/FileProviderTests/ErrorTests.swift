import FileProvider
import Foundation
import Testing

@Suite("An error")
struct ErrorTests {
    @Test("is caught by its name, whether it comes as a value or as an object")
    func caught() {
        let object = NSError(domain: NSFileProviderErrorDomain, code: -1005)
        for error in [NSFileProviderError(.noSuchItem), object] as [any Error] {
            do {
                throw error
            } catch NSFileProviderError.filenameCollision {
                Issue.record("is another error")
            } catch NSFileProviderError.noSuchItem {
                // As it should be.
            } catch {
                Issue.record("is not recognised: \(error)")
            }
        }
    }

    @Test("is read from whatever carries its domain and code")
    func bridging() throws {
        let item = MinimalItem(.init("a"))
        let collision: any Error = NSError.fileProviderErrorForCollision(with: item)

        let error = try #require(NSFileProviderError(bridging: collision))
        #expect(error.code == .filenameCollision)
        #expect(error.userInfo[NSFileProviderErrorItemKey] as? MinimalItem === item)
        #expect(NSFileProviderError(bridging: CocoaError(.fileNoSuchFile)) == nil)
        #expect(
            NSFileProviderError(bridging: NSError(domain: NSFileProviderErrorDomain, code: -7))
                == nil)
        #expect(NSFileProviderError(bridging: NSError(domain: "other", code: -1005)) == nil)
    }

    @Test("made by a constructor carries what its code calls for")
    func constructors() throws {
        let item = MinimalItem(.init("a"))
        let missing = NSError.fileProviderErrorForNonExistentItem(withIdentifier: .init("b"))
        #expect(missing.code == NSFileProviderError.noSuchItem.rawValue)
        #expect(
            missing.userInfo[NSFileProviderErrorNonExistentItemIdentifierKey] as? String == "b")

        let rejected = NSError.fileProviderErrorForRejectedDeletion(of: item)
        #expect(rejected.code == NSFileProviderError.deletionRejected.rawValue)
        #expect(rejected.userInfo[NSFileProviderErrorItemKey] as? MinimalItem === item)
    }
}

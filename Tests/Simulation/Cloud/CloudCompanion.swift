import FileProvider
import Foundation
import Synchronization

/// What the cloud's extension knows beside its items.
final class CloudCompanion: Sendable {
    private struct State {
        var version = NSFileProviderDomainVersion()
        var mayOpen = false
        var suppressed: Set<String> = []
        var actions: [String] = []
        var pictures: [[String]] = []
        var versions: [Int64?] = []
        var askedUnder: [Int64?] = []
        var imports: [Int] = []
        var inHand: [String: (now: Int, most: Int)] = [:]
        var searches: [String] = []
        var searchesWithoutEnd = false
        var namelessResults: Set<String> = []
        var failure: (any Error)?
        var fetchFailure: (any Error)?
        var creationAnswer: CreationAnswer?
        var merged: [String: String] = [:]
        var changeOptions: [String: NSFileProviderModifyItemOptions] = [:]
        var creations: [AskedCreation] = []
        var unstored: NSFileProviderItemFields = []
        var unstoredOfChange: NSFileProviderItemFields = []
        var flood = 0
        var pause: Duration?
        var unspoken: [String: any Error] = [:]
        var tellsAncestors = true
        var unansweredQuestions = 0
        var answersTwice = false
        var saysUnstored = false
        var renamesContents = false
        var alwaysPending: NSFileProviderItemFields = []
        var wantsFetch = false
        var fetchedItem: String?
        var holdsImport = false
    }

    private let state = Mutex(State())

    /// Another state of the domain has another version.
    func allowOpening() {
        state.withLock { state in
            state.version = state.version.next()
            state.mayOpen = true
        }
    }

    var version: NSFileProviderDomainVersion { state.withLock { $0.version } }
    var mayOpen: Bool { state.withLock { $0.mayOpen } }

    var suppressed: Set<String> {
        get { state.withLock { $0.suppressed } }
        set { state.withLock { $0.suppressed = newValue } }
    }

    /// How many creations had been asked for, each time that an import was over.
    var imports: [Int] {
        get { state.withLock { $0.imports } }
        set { state.withLock { $0.imports = newValue } }
    }

    /// What was searched for, from where and how much of it, and when nobody wanted to know any more.
    var searches: [String] {
        get { state.withLock { $0.searches } }
        set { state.withLock { $0.searches = newValue } }
    }

    /// What the extension finds without saying which item it is.
    var namelessResults: Set<String> {
        get { state.withLock { $0.namelessResults } }
        set { state.withLock { $0.namelessResults = newValue } }
    }

    /// Whether all that is found comes at once.
    var searchesWithoutEnd: Bool {
        get { state.withLock { $0.searchesWithoutEnd } }
        set { state.withLock { $0.searchesWithoutEnd = newValue } }
    }

    /// With what every call ends.
    var failure: (any Error)? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// With what every download of a whole file ends.
    var fetchFailure: (any Error)? {
        get { state.withLock { $0.fetchFailure } }
        set { state.withLock { $0.fetchFailure = newValue } }
    }

    /// What is answered to whatever is to be made.
    var creationAnswer: CreationAnswer? {
        get { state.withLock { $0.creationAnswer } }
        set { state.withLock { $0.creationAnswer = newValue } }
    }

    /// Items that turn out to be others when somebody changes them.
    var merged: [String: String] {
        get { state.withLock { $0.merged } }
        set { state.withLock { $0.merged = newValue } }
    }

    /// With what options each item was to be changed last.
    var changeOptions: [String: NSFileProviderModifyItemOptions] {
        get { state.withLock { $0.changeOptions } }
        set { state.withLock { $0.changeOptions = newValue } }
    }

    /// What was to be made, each time.
    var creations: [AskedCreation] {
        get { state.withLock { $0.creations } }
        set { state.withLock { $0.creations = newValue } }
    }

    /// What is left for later of all that is made.
    var unstored: NSFileProviderItemFields {
        get { state.withLock { $0.unstored } }
        set { state.withLock { $0.unstored = newValue } }
    }

    /// What is left for later of all that changes.
    var unstoredOfChange: NSFileProviderItemFields {
        get { state.withLock { $0.unstoredOfChange } }
        set { state.withLock { $0.unstoredOfChange = newValue } }
    }

    /// What is said neither to be there nor not to be, with what is said in place of that.
    var unspoken: [String: any Error] {
        get { state.withLock { $0.unspoken } }
        set { state.withLock { $0.unspoken = newValue } }
    }

    /// Whether what a changed item lies in is told before it, now and then.
    var tellsAncestors: Bool {
        get { state.withLock { $0.tellsAncestors } }
        set { state.withLock { $0.tellsAncestors = newValue } }
    }

    func requireSpoken(_ item: String) throws {
        guard let error = unspoken[item] else { return }
        state.withLock { $0.unansweredQuestions += 1 }
        throw error
    }

    /// How often something of that was asked for.
    var unansweredQuestions: Int { state.withLock { $0.unansweredQuestions } }

    /// So long the answers to what is to be changed, made or fetched are on their way, and nothing else is.
    var pauseBeforeAnswers: Duration? {
        get { state.withLock { $0.pause } }
        set { state.withLock { $0.pause = newValue } }
    }

    /// So many items are told at once, whatever was asked for.
    var flood: Int {
        get { state.withLock { $0.flood } }
        set { state.withLock { $0.flood = newValue } }
    }

    /// What was done, and to what.
    var actions: [String] {
        get { state.withLock { $0.actions } }
        set { state.withLock { $0.actions = newValue } }
    }

    /// Of what pictures were asked for, each time.
    var pictures: [[String]] {
        get { state.withLock { $0.pictures } }
        set { state.withLock { $0.pictures = newValue } }
    }

    /// Under which versions of the domain contents and lists were asked for.
    var askedUnder: [Int64?] {
        get { state.withLock { $0.askedUnder } }
        set { state.withLock { $0.askedUnder = newValue } }
    }

    /// Under which versions of the domain changes were told to it.
    var versions: [Int64?] {
        get { state.withLock { $0.versions } }
        set { state.withLock { $0.versions = newValue } }
    }

    func begin(_ kind: String) {
        state.withLock { state in
            let now = (state.inHand[kind]?.now ?? 0) + 1
            state.inHand[kind] = (now, max(now, state.inHand[kind]?.most ?? 0))
        }
    }

    func end(_ kind: String) {
        state.withLock { $0.inHand[kind]?.now -= 1 }
    }

    /// Whether every call is answered once more, with an error.
    var answersTwice: Bool {
        get { state.withLock { $0.answersTwice } }
        set { state.withLock { $0.answersTwice = newValue } }
    }

    /// How many calls that change one item were unanswered at a time, at most.
    var mostChangesOfOne: Int {
        state.withLock { state in
            state.inHand.filter { $0.key.hasPrefix("change of ") }.map(\.value.most).max() ?? 0
        }
    }

    /// How many calls of a kind were unanswered at a time, at most, since somebody has asked.
    func takeMost(of kind: String) -> Int {
        state.withLock { state in
            let known = state.inHand[kind] ?? (now: 0, most: 0)
            state.inHand[kind]?.most = known.now
            return known.most
        }
    }

    /// Whether what is left for later is told as if it was stored.
    var saysUnstored: Bool {
        get { state.withLock { $0.saysUnstored } }
        set { state.withLock { $0.saysUnstored = newValue } }
    }

    /// Whether each change gives the content another name.
    var renamesContents: Bool {
        get { state.withLock { $0.renamesContents } }
        set { state.withLock { $0.renamesContents = newValue } }
    }

    /// Whether after each change the content is to be fetched anew.
    var wantsFetch: Bool {
        get { state.withLock { $0.wantsFetch } }
        set { state.withLock { $0.wantsFetch = newValue } }
    }

    /// What is said to have been fetched, whatever was.
    var fetchedItem: String? {
        get { state.withLock { $0.fetchedItem } }
        set { state.withLock { $0.fetchedItem = newValue } }
    }

    /// Whether the end of an import is never answered.
    var holdsImport: Bool {
        get { state.withLock { $0.holdsImport } }
        set { state.withLock { $0.holdsImport = newValue } }
    }

    /// What is said to be left for later of every change, whatever that was.
    var alwaysPending: NSFileProviderItemFields {
        get { state.withLock { $0.alwaysPending } }
        set { state.withLock { $0.alwaysPending = newValue } }
    }
}

import FileProvider
import FileProviderReplica
import Testing

@testable import FileProviderHost

/// Every combination of three trees and of what is around them; and of the trees and what else is known of a node, amid
/// surroundings that take turns: with `BASKET_PLANNER=whole`, amid all of them, which is for an optimised build and a
/// long pause.
@Suite("The plan")
struct PlannerTests {
    private func expect(_ property: PlannerProperty) async {
        let report = await PlannerReport.all
        #expect(report.count > (PlannerSpace.isWhole ? 8_000_000 : 800_000))
        #expect(report.broken[property] == nil)
        for example in report.examples[property] ?? [] { Issue.record("\(example)") }
    }

    @Test("is nothing where all agree, whatever is around")
    func settled() async { await expect(.restsWhereAllAgree) }

    @Test("is nothing only where nothing is to be done")
    func undone() async { await expect(.leavesNothingUndone) }

    @Test("never takes away or overwrites what only this device has")
    func keepsEdits() async { await expect(.keepsEdits) }

    @Test("overwrites only what both sides had agreed on")
    func overwrites() async { await expect(.overwritesOnlyWhatWasAgreed) }

    @Test("hides only what the provider deleted, and nothing with somebody's news in it")
    func hides() async { await expect(.hidesOnlyWhatIsGoneThere) }

    @Test("deletes at the provider only what was there and was deleted here, empty folders alone")
    func deletes() async { await expect(.deletesOnlyWhatWasSeen) }

    @Test("creates only what the provider does not have")
    func creates() async { await expect(.createsOnlyWhatIsMissing) }

    @Test("sends exactly what was changed here, and no stand-in for a name")
    func sends() async { await expect(.sendsExactlyTheChanges) }

    @Test("sends what the provider asks for, once nothing newer is there")
    func requests() async { await expect(.sendsWhatIsRequested) }

    @Test("sends nothing into a folder that the provider does not have")
    func parentsFirst() async { await expect(.sendsParentsFirst) }

    @Test("puts nothing into a folder that is not here, or into itself")
    func placesHere() async { await expect(.placesInWhatIsHere) }

    @Test("gives no name here that another node keeps")
    func names() async { await expect(.takesNoName) }

    @Test("waits only for what is there to wait for")
    func waits() async { await expect(.waitsForSomething) }

    @Test("takes for agreed only what is the same on both sides")
    func adopts() async { await expect(.adoptsOnlyTheSame) }

    @Test("takes what stays here from the provider, only once all of it is here")
    func exclusion() async { await expect(.keepsExcludedFromProvider) }

    @Test("keeps here what lies in a folder that stays here, and takes that back with it")
    func excludedFolder() async { await expect(.followsExcludedFolders) }

    @Test("asks again for what was removed before it was known to be made")
    func unanswered() async { await expect(.asksForUnanswered) }

    @Test("follows from the trees and what is around them, and from nothing that a restart forgets")
    func nothingElse() async { await expect(.looksAtNothingElse) }
}

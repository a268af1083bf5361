import BasketModels
import BasketSupport

/// A domain's row, and what its items add up to.
struct DomainTally {
    let used: Int64
    let history: Int64
    let items: Int64
    let rank: Int64
    let root: Int64
    let trash: Int64
    let caseRule: CaseRule
    var actualUsed: Int64 = 0
    var actualHistory: Int64 = 0
    var actualItems: Int64 = 0
    var actualRank: Int64 = 0

    /// What somebody has now counts as used, what can only be brought back as history.
    mutating func add(_ size: Int64, isCurrent: Bool) {
        // Sizes that overflow are wrong in other ways, too.
        if isCurrent { actualUsed &+= size } else { actualHistory &+= size }
    }
}

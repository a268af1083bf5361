/// Findings as they come, up to so many of each code: a list of a million says no more than one of a
/// thousand with the number of the others.
struct FindingList {
    static let mostOfOneCode = 1000

    private var findings: [Finding] = []
    private var counts: [String: (count: Int, severity: Finding.Severity)] = [:]

    mutating func add(_ finding: Finding) {
        let count = counts[finding.code]?.count ?? 0
        counts[finding.code] = (count + 1, finding.severity)
        if count < Self.mostOfOneCode { findings.append(finding) }
    }

    /// In the order in which they were found, then what was left out.
    var all: [Finding] {
        let left = counts.filter { $0.value.count > Self.mostOfOneCode }.sorted { $0.key < $1.key }
        return findings
            + left.map { code, seen in
                .more(code: code, count: seen.count - Self.mostOfOneCode, seen.severity)
            }
    }
}

import BasketSupport

/// How long what is not current is kept.
package struct RetentionPolicy: Sendable, Equatable {
    /// Earlier versions: all of them so long,
    package var allVersions: Duration
    /// then the newest of each day so long,
    package var dailyVersions: Duration
    /// then the newest of each month so long. Conflict versions are never dropped.
    package var monthlyVersions: Duration
    /// What was deleted can be brought back so long.
    package var deletedContents: Duration
    /// Clients that were away longer than this list everything anew.
    package var tombstones: Duration
    /// What lies in the trash is deleted after so long; nil for never.
    package var trash: Duration?

    private static let day = Duration.seconds(86_400)

    package init(
        allVersions: Duration = day, dailyVersions: Duration = day * 30,
        monthlyVersions: Duration = day * 365, deletedContents: Duration = day * 30,
        tombstones: Duration = day * 90, trash: Duration? = nil
    ) {
        self.allVersions = allVersions
        self.dailyVersions = dailyVersions
        self.monthlyVersions = monthlyVersions
        self.deletedContents = deletedContents
        self.tombstones = tombstones
        self.trash = trash
    }

    /// Which of an item's earlier versions to drop, by when they were superseded. Doing it twice
    /// drops nothing more.
    func surplus<ID>(_ versions: [(id: ID, superseded: Timestamp)], at now: Timestamp) -> [ID] {
        var kept: Set<Int64> = []
        return versions.sorted { $0.superseded > $1.superseded }.filter { version in
            let age = now - version.superseded
            let day = version.superseded.seconds / 86_400
            if age <= allVersions { return false }
            if age <= allVersions + dailyVersions { return !kept.insert(day).inserted }
            // Months are told from days by their sign.
            if age <= allVersions + dailyVersions + monthlyVersions {
                return !kept.insert(-1 - day / 30).inserted
            }
            return true
        }.map(\.id)
    }
}

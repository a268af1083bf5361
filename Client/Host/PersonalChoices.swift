/// What a person may choose for a domain on their machine, also while its host runs.
package struct PersonalChoices: Sendable, Equatable {
    package var limits = ContentLimits()
    /// Programs for which nothing is brought here, besides those that are known to look into every file.
    package var programsWithoutDownloads: [String] = []
    package var unitsWithoutDownloads: [String] = []
    /// Programs for which everything is brought here, whatever else is said of them.
    package var programsWithDownloads: [String] = []

    package init(limits: ContentLimits = ContentLimits()) {
        self.limits = limits
    }

    /// - Parameter usual: what holds for programs of which nothing is said.
    func rules(over usual: ProgramRules) -> ProgramRules {
        var rules = usual
        for name in programsWithoutDownloads { rules.add(name: name) }
        for unit in unitsWithoutDownloads { rules.add(unit: unit) }
        for name in programsWithDownloads { rules.allow(name: name) }
        return rules
    }
}

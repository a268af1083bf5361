import BasketSupport

extension EntryAttributes {
    /// A provider's dates come in microseconds: what is the same as one that is known more exactly is that one.
    package mutating func sharpenDates(by known: EntryAttributes) {
        created = Self.sharper(created, known.created)
        modified = Self.sharper(modified, known.modified)
        lastUsed = Self.sharper(lastUsed, known.lastUsed)
    }

    /// Whether the provider tells of something with these that it was made when this was.
    package func areMade(asTold told: EntryAttributes) -> Bool {
        guard let created, let told = told.created else { return false }
        // A provider's dates may be coarser still.
        let unit = Self.units.first { told.nanoseconds.isMultiple(of: $0) } ?? 1
        let (difference, isTooLong) = told.nanoseconds.subtractingReportingOverflow(
            created.nanoseconds)
        return !isTooLong && difference.magnitude < UInt64(unit)
    }

    private static let unit: Int64 = 1000
    private static let units: [Int64] = [1_000_000_000, 1_000_000, 1000]

    private static func sharper(_ told: Timestamp?, _ known: Timestamp?) -> Timestamp? {
        guard let told, let known, told.nanoseconds.isMultiple(of: unit),
            !known.nanoseconds.isMultiple(of: unit)
        else { return told }
        // The end of time has no difference to anything.
        let (difference, isTooLong) = told.nanoseconds.subtractingReportingOverflow(
            known.nanoseconds)
        return !isTooLong && difference.magnitude < UInt64(unit) ? known : told
    }
}

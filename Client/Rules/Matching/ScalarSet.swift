/// Some Unicode scalars, as a pattern names them in brackets.
struct ScalarSet: Equatable, Sendable {
    private var ranges: [ClosedRange<UInt32>] = []
    private var kinds: [ScalarKind] = []
    var isNegated = false
    /// Takes a scalar when its upper or lower case belongs to the set.
    var ignoresCase = false

    mutating func insert(_ range: ClosedRange<Unicode.Scalar>) {
        ranges.append(range.lowerBound.value...range.upperBound.value)
    }

    mutating func insert(_ scalar: Unicode.Scalar) {
        insert(scalar...scalar)
    }

    mutating func insert(_ kind: ScalarKind) {
        kinds.append(kind)
    }

    /// What testing a scalar may cost.
    var weight: Int {
        (ranges.count + kinds.count + 1) * (ignoresCase ? 3 : 1)
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        holds(scalar) != isNegated
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        if isNamed(scalar) { return true }
        guard ignoresCase else { return false }
        let properties = scalar.properties
        return [properties.lowercaseMapping, properties.uppercaseMapping].contains { mapped in
            // A letter that becomes two is no one letter of a set.
            guard let first = mapped.unicodeScalars.first, mapped.unicodeScalars.count == 1 else {
                return false
            }
            return isNamed(first)
        }
    }

    private func isNamed(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) } || kinds.contains { $0.contains(scalar) }
    }
}

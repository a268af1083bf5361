import Testing

extension EndToEnd.Trials {
    /// What makes ready, what goes on, and what must hold then, on any machine.
    struct WorkingProgram: CustomTestStringConvertible, Sendable {
        let name: String
        let prepare: String
        let work: String
        let verify: String

        init(_ name: String, _ prepare: String, _ work: String, _ verify: String) {
            (self.name, self.prepare, self.work, self.verify) = (name, prepare, work, verify)
        }

        var testDescription: String { name }
    }
}

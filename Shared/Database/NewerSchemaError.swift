import BasketSupport

/// The file was written by a newer version of the program.
package struct NewerSchemaError: ReportableError, Equatable, CustomStringConvertible {
    package let found: Int
    package let known: Int

    package init(found: Int, known: Int) {
        self.found = found
        self.known = known
    }

    package var code: String { "newer_schema" }

    package var message: String {
        """
        the database is from a newer Basket: its schema is \(found), and this one knows those up to \(known).
        Install the newer version, or restore an older backup into another folder.
        """
    }

    package var description: String { message }
}

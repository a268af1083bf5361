/// Why an entry of a declaration is not taken.
package struct DeclarationError: Error, Equatable, Sendable {
    package let message: String
}

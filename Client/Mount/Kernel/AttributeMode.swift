/// Whether an attribute has to be there before.
package enum AttributeMode: Sendable {
    case any
    case new
    case known
}

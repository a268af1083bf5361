/// By what a folder's page is sorted.
package enum ItemOrder: String, Sendable, CaseIterable {
    case name
    case modified
    case created
    case size
    case kind
}

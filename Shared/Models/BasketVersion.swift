/// Which Basket this is.
package enum BasketVersion {
    package static let current = "0.1.0"
}

/// A body that is larger than what asked for it may hold.
package struct HTTPBodyTooLarge: Error, Equatable {
    package let limit: Int

    package init(limit: Int) {
        self.limit = limit
    }
}

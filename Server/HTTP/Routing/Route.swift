/// One line of a table of routes: a method, a path with captures, and what it leads to.
package struct Route<Target: Sendable>: Sendable {
    package let method: HTTPMethod
    package let pattern: RoutePattern
    package let target: Target

    /// - Parameter pattern: as `RoutePattern` reads it.
    package init(_ method: HTTPMethod, _ pattern: RoutePattern, _ target: Target) {
        self.method = method
        self.pattern = pattern
        self.target = target
    }
}

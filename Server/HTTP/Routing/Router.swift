/// Finds the route of a request. The routes are data: whoever wants to know the whole API reads
/// `routes`.
package struct Router<Target: Sendable>: Sendable {
    package enum Match: Sendable {
        case found(Route<Target>, RouteCaptures)
        /// The path is known, but not with this method; these it takes, for `Allow`.
        case methodNotAllowed([HTTPMethod])
        case notFound
    }

    package let routes: [Route<Target>]
    private var nodes: [Node] = [Node()]

    /// A place in the tree of patterns.
    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var capture: Int?
        /// Indices of routes that end here, and of those that take the rest from here on.
        var here: [HTTPMethod: Int] = [:]
        var rest: [HTTPMethod: Int] = [:]
    }

    /// - Parameter routes: no two may answer the same method and path; a literal segment weighs more
    ///   than a capture, and both more than the rest of a path.
    package init(_ routes: [Route<Target>]) {
        self.routes = routes
        for (index, route) in routes.enumerated() { add(route, at: index) }
    }

    /// - Parameter path: the request's segments, decoded.
    package func match(_ method: HTTPMethod, _ path: [String]) -> Match {
        var allowed: Set<HTTPMethod> = []
        if let index = find(method, path, at: 0, depth: 0, allowed: &allowed) {
            return .found(routes[index], captures(of: routes[index], in: path))
        }
        guard !allowed.isEmpty else { return .notFound }
        return .methodNotAllowed(HTTPMethod.allCases.filter(allowed.contains))
    }

    private mutating func add(_ route: Route<Target>, at index: Int) {
        var place = 0
        for segment in route.pattern.segments {
            switch segment {
            case .literal(let text):
                place =
                    nodes[place].literals[text]
                    ?? grow { nodes, new in
                        nodes[place].literals[text] = new
                    }
            case .capture:
                place = nodes[place].capture ?? grow { nodes, new in nodes[place].capture = new }
            case .rest:
                let other = nodes[place].rest.updateValue(index, forKey: route.method)
                precondition(other == nil, "two routes answer \(route.method) \(route.pattern)")
                return
            }
        }
        let other = nodes[place].here.updateValue(index, forKey: route.method)
        precondition(other == nil, "two routes answer \(route.method) \(route.pattern)")
    }

    private mutating func grow(_ link: (inout [Node], Int) -> Void) -> Int {
        nodes.append(Node())
        link(&nodes, nodes.count - 1)
        return nodes.count - 1
    }

    /// Tries the most exact way first, and goes back where it leads nowhere.
    private func find(
        _ method: HTTPMethod, _ path: [String], at place: Int, depth: Int,
        allowed: inout Set<HTTPMethod>
    ) -> Int? {
        let node = nodes[place]
        guard depth < path.count else {
            return Self.pick(method, from: node.here, allowed: &allowed)
        }
        if let next = node.literals[path[depth]],
            let found = find(method, path, at: next, depth: depth + 1, allowed: &allowed)
        {
            return found
        }
        if let next = node.capture, !path[depth].isEmpty,
            let found = find(method, path, at: next, depth: depth + 1, allowed: &allowed)
        {
            return found
        }
        return Self.pick(method, from: node.rest, allowed: &allowed)
    }

    /// HEAD is answered by what answers GET; the connection leaves the body out.
    private static func pick(
        _ method: HTTPMethod, from ends: [HTTPMethod: Int], allowed: inout Set<HTTPMethod>
    ) -> Int? {
        if let index = ends[method] { return index }
        if method == .head, let index = ends[.get] { return index }
        allowed.formUnion(ends.keys)
        if ends[.get] != nil { allowed.insert(.head) }
        return nil
    }

    private func captures(of route: Route<Target>, in path: [String]) -> RouteCaptures {
        var values: [(name: String, value: String)] = []
        var rest: [String] = []
        for (index, segment) in route.pattern.segments.enumerated() {
            switch segment {
            case .literal: break
            case .capture(let name): values.append((name, path[index]))
            case .rest: rest = Array(path[index...])
            }
        }
        return RouteCaptures(values: values, rest: rest)
    }
}

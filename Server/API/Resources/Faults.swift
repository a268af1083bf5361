import BasketHTTP
import BasketModels
import BasketStore

/// Making things go wrong on purpose. There only when the server was started for tests.
enum Faults {
    static let endpoints: [Endpoint] = [
        Endpoint(.get, "/v1/debug/faults", access: .administrator, list),
        Endpoint(.post, "/v1/debug/faults", access: .administrator, add),
        Endpoint(.delete, "/v1/debug/faults", access: .administrator, clear),
        Endpoint(.delete, "/v1/debug/faults/{fault}", access: .administrator, remove),
    ]

    static func list(_ call: Call) async throws -> HTTPResponse {
        .json(document(try injector(call)))
    }

    static func add(_ call: Call) async throws -> HTTPResponse {
        let (rule, _) = try await call.json(FaultRule.self)
        if let problem = rule.problem {
            throw StoreError.badField(field: problem.field, reason: problem.reason)
        }
        let injector = try injector(call)
        guard injector.add(rule) else {
            throw Problem(409, "too_many_faults", "There are \(FaultInjector.mostRules) already.")
        }
        return .json(document(injector), status: 201)
    }

    static func clear(_ call: Call) async throws -> HTTPResponse {
        try injector(call).clear()
        return .empty
    }

    static func remove(_ call: Call) async throws -> HTTPResponse {
        guard let number = Int(call["fault"]), try injector(call).remove(number) else {
            throw Problem(404, "no_such_fault", "There is no such fault.")
        }
        return .empty
    }

    private static func injector(_ call: Call) throws(Problem) -> FaultInjector {
        guard let faults = call.service.faults else {
            throw Problem(404, "no_such_route", "There is nothing at this path.")
        }
        return faults
    }

    private static func document(_ injector: FaultInjector) -> [UInt8] {
        JSONWriter.document { writer in
            writer.key("faults")
            writer.array { writer in
                for (number, rule) in injector.rules {
                    writer.object { writer in
                        writer.key("id")
                        writer.number(number)
                        rule.write(to: &writer)
                    }
                }
            }
        }
    }
}

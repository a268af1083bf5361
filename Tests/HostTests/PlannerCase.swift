import FileProvider
import FileProviderReplica

@testable import FileProviderHost

/// One combination that the planner may meet.
struct PlannerCase: CustomStringConvertible {
    var node: StoredNode
    var around: Surroundings

    var trees: NodeTrees { node.trees }
    var step: Step { Planner.step(for: node, around) }

    var description: String {
        """
        \(node.trees) that is \(node.exclusion) excluded, \(node.residence) here, asked for \
        \(node.request.fields.rawValue), mute in \(node.muted.rawValue), unanswered: \
        \(around.isUnanswered), amid \(around)
        """
    }
}

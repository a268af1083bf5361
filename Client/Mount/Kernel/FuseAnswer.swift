/// What the kernel is answered, and what is done once it was.
package struct FuseAnswer: Sendable {
    package let reply: FuseReply
    package let afterwards: @Sendable () -> Void

    package init(_ reply: FuseReply, afterwards: @escaping @Sendable () -> Void = {}) {
        self.reply = reply
        self.afterwards = afterwards
    }
}

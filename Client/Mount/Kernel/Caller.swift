/// Who asks something of a mounted folder.
package struct Caller: Sendable, Equatable {
    /// 0 where it is nobody in particular: the kernel itself, that writes back what a program had mapped.
    package let process: Int32
    package let user: UInt32
    package let group: UInt32
    /// The kernel's number of the question: the same where it asks once more.
    package let question: UInt64
    /// A process before this one was asked the same, and may have done it.
    package let isRepeated: Bool

    package init(
        process: Int32, user: UInt32, group: UInt32, question: UInt64 = 0, isRepeated: Bool
    ) {
        self.process = process
        self.user = user
        self.group = group
        self.question = question
        self.isRepeated = isRepeated
    }
}

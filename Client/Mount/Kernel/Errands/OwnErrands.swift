import CLinux

/// Each thread runs its errands itself. A process that does so may not be able to end for as long as it has one to run.
package struct OwnErrands: ErrandRunning {
    private let device: FuseDevice

    package init(_ device: FuseDevice) {
        self.device = device
    }

    package func run(_ errand: Errand, begin: (Int32) -> Void) -> Int32 {
        begin(basket_thread_number())
        return errand.run(on: device.descriptor)
    }

    package func isRunner(_ thread: Int32) -> Bool { false }
}

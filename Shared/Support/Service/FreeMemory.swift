import CLinux

/// Memory that nobody uses any more, and that the allocator has kept for later.
package enum FreeMemory {
    package static func giveBack() {
        basket_give_back_memory()
    }
}

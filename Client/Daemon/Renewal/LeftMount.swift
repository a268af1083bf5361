import FileProviderMount
import Foundation

/// A mount that a daemon leaves to the one that takes its place in the same process.
package struct LeftMount: Codable, Sendable {
    let domain: String
    let place: String
    /// Of the kernel's end, which stays open.
    let descriptor: Int32
    /// What the kernel has said first.
    let greeting: Data
    let number: UInt64?

    init(domain: String, place: String, device: FuseDevice) {
        self.domain = domain
        self.place = place
        descriptor = device.descriptor
        greeting = Data(device.greeting)
        number = device.number
    }

    /// Where the kernel tells no number, its path says it.
    func isOf(_ number: UInt64?, at folder: String) -> Bool {
        self.number == nil || number == nil ? place == folder : self.number == number
    }

    var device: FuseDevice {
        FuseDevice(descriptor: descriptor, greeting: Array(greeting), number: number)
    }
}

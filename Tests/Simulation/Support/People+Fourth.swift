// What was not done before that, either.
extension People {
    /// A device dies between two of its transactions, whatever it is doing.
    func dieWhileWorking(_ device: Device) async throws {
        programs.end(on: device)
        let count = 1 + executor.random(6)
        trace("\(device.name) dies after \(count) transactions")
        device.die(after: count)
        for _ in 0..<40 where !device.isDead { try await executor.sleep(.milliseconds(50)) }
        if executor.random(2) == 0 {
            device.kill()
        } else {
            try crash(device)
        }
        try await device.start()
    }
}

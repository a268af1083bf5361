import Glibc

/// Whether the kernel lets this person have file systems of their own at all.
struct FuseDeviceCheck: Check {
    private static let path = "/dev/fuse"

    func findings() async -> [Finding] {
        let device = open(Self.path, O_RDWR | O_CLOEXEC)
        guard device < 0 else {
            close(device)
            return [Self.judge(nil)]
        }
        return [Self.judge(errno)]
    }

    /// - Parameter failure: why it cannot be opened.
    static func judge(_ failure: Int32?) -> Finding {
        switch failure {
        case nil: Finding("fuse-device", .fine, "\(path) is there and can be used.")
        case ENOENT, ENODEV, ENXIO:
            Finding(
                "fuse-device", .wrong, "There is no \(path): nothing can be mounted.",
                remedy:
                    "Load the kernel's module (‘sudo modprobe fuse’), or start the container with ‘--device /dev/fuse’."
            )
        case EACCES, EPERM:
            Finding(
                "fuse-device", .wrong, "You may not use \(path).",
                remedy: "Let everybody (‘sudo chmod 0666 /dev/fuse’), as distributions do.")
        case let code?:
            Finding(
                "fuse-device", .wrong, "\(path) cannot be opened (error \(code)).",
                remedy: "‘sudo dmesg’ may say why.")
        }
    }
}

import BasketSupport
import CFuse
import CLinux
import Glibc

/// The kernel's end of a mount. It is mounted for as long as somebody has this open, in whichever process.
package final class FuseDevice: Sendable {
    package let descriptor: Int32
    /// What the kernel has said first. It says that once, and whoever answers for the folder has to have heard it.
    package let greeting: [UInt8]
    /// What the kernel calls the mount, as the device of all that is in it; nil where it does not tell.
    package let number: UInt64?

    /// One that this process was given.
    package init(descriptor: Int32, greeting: [UInt8], number: UInt64?) {
        self.descriptor = descriptor
        self.greeting = greeting
        self.number = number
    }

    /// One that was just mounted.
    private init(mounted descriptor: Int32, at folder: String) throws(MountError) {
        number = UInt64(exactly: basket_mounted_device(folder))
        do {
            greeting = try Self.greeting(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// What the kernel calls such a mount in its list.
    package static let fileSystemType = "fuse.basket"

    /// What the kernel is to look after for us, and what nobody needs in a folder of somebody's files.
    private static let safety = UInt(MS_NODEV | MS_NOSUID)

    /// Mounts a folder. Nobody answers for it yet.
    /// - Parameter name: what lists of mounts call it.
    package static func mount(at folder: String, name: String) throws(MountError) -> FuseDevice {
        let name = name.replacing(",", with: "-").replacing("\\", with: "-")
        return geteuid() == 0 ? try mountAsRoot(folder, name) : try mountWithHelp(folder, name)
    }

    private static func mountAsRoot(
        _ folder: String, _ name: String
    ) throws(MountError) -> FuseDevice {
        let raw = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        guard raw >= 0 else { throw .noDevice(String(cString: strerror(errno))) }
        let options =
            "fd=\(raw),rootmode=40000,user_id=\(geteuid()),group_id=\(getegid()),default_permissions"
        guard CFuse.mount(name, folder, fileSystemType, safety, options) == 0 else {
            let code = errno
            close(raw)
            throw .refused("\(folder): \(String(cString: strerror(code)))")
        }
        return try FuseDevice(mounted: raw, at: folder)
    }

    /// By the program that may do so for everybody.
    private static func mountWithHelp(
        _ folder: String, _ name: String
    ) throws(MountError) -> FuseDevice {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw .noDevice(String(cString: strerror(errno)))
        }
        defer { for end in ends where end >= 0 { close(end) } }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let options = "rw,nosuid,nodev,default_permissions,subtype=basket,fsname=\(name)"
        try MountHelper.run(
            ["-o", options], for: folder, variables: ["_FUSE_COMMFD=\(ends[1])"])
        var byte: UInt8 = 0
        var descriptor: Int32 = -1
        guard basket_receive_message(ends[0], &byte, 1, &descriptor) > 0, descriptor >= 0 else {
            throw .refused("\(folder): fusermount3 has given no device")
        }
        return try FuseDevice(mounted: descriptor, at: folder)
    }

    /// The kernel has it ready as soon as something is mounted.
    private static func greeting(_ device: Int32) throws(MountError) -> [UInt8] {
        let room = Int(FUSE_MIN_READ_BUFFER)
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            var length = -1
            repeat {
                length = Glibc.read(device, buffer.baseAddress, room)
            } while length < 0 && errno == EINTR
            count = max(0, length)
        }
        guard !bytes.isEmpty else { throw .refused("the kernel says nothing about the mount") }
        return bytes
    }

    /// Has whoever waits for an answer told of an error, though somebody still has this open: by then it is mounted no
    /// more. As root, unmounting at any cost does that.
    package func abort() {
        if let number { Self.abort(number) }
    }

    /// The same of a mount that nobody here has anything of but its number.
    package static func abort(_ number: UInt64) {
        let file = open("/sys/fs/fuse/connections/\(number)/abort", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = Glibc.write(file, "1", 1)
        close(file)
    }

    /// Has a folder mounted no more. At any cost: also where programs have something open in it, who are told of an error
    /// from then on, as is whoever waits for an answer.
    package static func unmount(_ folder: String, atAnyCost: Bool = false) throws(MountError) {
        if geteuid() == 0 {
            let flags = Int32(atAnyCost ? MNT_DETACH | MNT_FORCE : 0)
            guard umount2(folder, flags) == 0 else {
                throw .refused("\(folder): \(String(cString: strerror(errno)))")
            }
            return
        }
        try MountHelper.run(["-u"] + (atAnyCost ? ["-z"] : []), for: folder)
    }
}

import BasketSupport
import FileProviderDaemon
import Glibc

/// Whether a domain's folder answers.
struct MountCheck: Check {
    let domain: HostedDomainState
    let world: World

    func findings() async -> [Finding] {
        guard let folder = domain.folder else { return [] }
        let above = await MountAnswer.ask(LinuxFileSystem.folder(of: folder), world)
        return [judge(await MountAnswer.ask(folder, world), above: above, folder)]
    }

    /// - Parameter above: what the folder says in which the mount lies: a mount is a volume of its own.
    func judge(_ answer: MountAnswer, above: MountAnswer, _ folder: String) -> Finding {
        func wrong(_ message: String, _ remedy: String) -> Finding {
            Finding("mount", .wrong, domain: domain.name, message, remedy: remedy)
        }
        let again =
            "Have it mounted anew: ‘basket disable \(domain.name) && basket enable \(domain.name)’."
        switch answer {
        case .volume where answer == above:
            return wrong("Nothing is mounted at \(folder).", again)
        case .volume: return Finding("mount", .fine, domain: domain.name, "\(folder) answers.")
        case .silent:
            return wrong("\(folder) does not answer within a second.", again)
        case .failed(ENOTCONN):
            return wrong("Nobody answers for \(folder) any more.", again)
        case .failed(let code):
            return wrong("\(folder) answers with error \(code).", again)
        }
    }
}

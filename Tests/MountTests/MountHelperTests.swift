import Testing

@testable import FileProviderMount

@Suite("The program that mounts for everybody", .enabled(if: MountStage.isPossible))
struct MountHelperTests {
    @Test("is heard with its own words when it cannot do something")
    func words() throws {
        let error = #expect(throws: MountError.self) {
            try MountHelper.run(["-u"], for: "/nowhere")
        }
        #expect(
            error?.description.contains("fusermount3: ") == true, "\(String(describing: error))")
        #expect(error?.description.contains("has ended with") == false)
    }
}

import BasketSupport
import Testing

@Suite("A page of the manual")
struct ManualPageTests {
    @Test("says of a command what its help says")
    func command() throws {
        let page = try ManualPage(of: SampleProgram.command, ["put"], version: "1.2")
        #expect(
            page.text
                == """
                .TH "MY\\-STORE\\-PUT" 1 "" "my\\-store 1.2" "my\\-store"
                .SH NAME
                my\\-store\\-put \\- Keeps files: all of them.
                .SH SYNOPSIS
                \\fBmy\\-store put\\fR [OPTIONS] ITEM …
                .SH DESCRIPTION
                It\\(aqs quick.
                .PP
                \\&.dots at a line\\(aqs start, and back\\eslashes.
                .SH "ARGUMENTS"
                .TP
                \\fBITEM\\fR
                Files.
                .SH "OPTIONS"
                .TP
                \\fB\\-m, \\-\\-mode quick|safe\\fR
                How [it] is done.
                .TP
                \\fB\\-\\-list FILE\\fR
                Which ones.
                .TP
                \\fB\\-\\-[no\\-]trash\\fR
                Keep what it was.
                .TP
                \\fB\\-\\-json\\fR
                Answer in JSON.
                .TP
                \\fB\\-h, \\-\\-help\\fR
                Print this text.
                .SH "EXIT STATUS"
                .TP
                \\fB0\\fR
                Done.
                .TP
                \\fB1\\fR
                It failed; the message says why.
                .TP
                \\fB2\\fR
                The command line or a setting was not understood.
                .TP
                \\fB11\\fR
                What is there stands in the way.
                .SH "EXAMPLES"
                .TP
                \\fBmy\\-store put \\-\\-mode=safe *.txt\\fR
                Keeps \\[u2018]some\\[u2019].
                """.replacing("…", with: "\\[u2026]"))
    }

    @Test("has all commands of a program, but not those that only lead to them")
    func program() throws {
        let text = try ManualPage(of: SampleProgram.command, [], version: "1.2").text
        let parts = text.split(separator: "\n").filter { $0.hasPrefix(".SS") }
        #expect(parts == [".SS \"put\"", ".SS \"account show\"", ".SS \"account list\""])
        // Also the ways to end that only some of them have.
        #expect(text.contains("\\fB11\\fR"))
    }

    @Test("is refused for a command that is not there")
    func unknown() {
        #expect(throws: CommandError.unknownCommand("pit", path: ["my-store"], nearest: "put")) {
            _ = try ManualPage(of: SampleProgram.command, ["pit"], version: "1.2")
        }
    }
}

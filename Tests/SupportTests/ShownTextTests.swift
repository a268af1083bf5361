import BasketSupport
import Testing

@Suite("A name on a terminal")
struct ShownTextTests {
    @Test(
        "is shown without what a terminal would obey",
        arguments: [
            ("report.odt", "report.odt"), ("Füße 👩‍👩‍👧", "Füße 👩‍👩‍👧"), ("", ""),
            ("two\nlines", "two\\nlines"), ("a\tb\r\n", "a\\tb\\r\\n"),
            ("\u{1B}[31mred", "\\u{1B}[31mred"), ("\u{9B}31m", "\\u{9B}31m"),
            ("bell\u{7}", "bell\\u{7}"), ("gone\u{7F}", "gone\\u{7F}"),
            ("\u{2028}", "\\u{2028}"), ("exe.\u{202E}txt", "exe.\\u{202E}txt"),
            (#"back\slash"#, #"back\\slash"#), (#"\n"#, #"\\n"#),
        ])
    func escapes(name: String, shown: String) {
        #expect(ShownText.escaped(name) == shown)
    }
}

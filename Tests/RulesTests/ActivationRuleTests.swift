import BasketSupport
import Testing

@testable import FileProviderRules

@Suite("An activation rule")
struct ActivationRuleTests {
    /// What the system gives to rules about actions, and to those about what people are about to
    /// do.
    private static var item: [String: PredicateValue] {
        [
            "filename": .string("Résumé 2026.pdf"), "isShared": .bool(true),
            "capabilities": .integer(63),
            "documentSize": .integer(1_048_576), "childItemCount": .null,
            "contentType": .string("com.adobe.pdf"), "ratio": .real(0.5),
            "creationDate": .date(Timestamp(seconds: 1_000)),
            "lastUsedDate": .date(Timestamp(seconds: 2_000)),
            "tagData": .data([1, 2]), "tags": .list([.string("red"), .string("Blue")]),
            "userInfo": .object(
                [
                    "kept": .integer(1), "pinned": .bool(true), "com.example.testBit": .bool(true),
                    "in": .string("x"), "name": .string("back\\slash"), "pattern": .string("R*"),
                    "broken": .string("("), "a.inherited": .bool(false),
                ] as [String: PredicateValue]),
        ]
    }
    private static var folder: [String: PredicateValue] {
        [
            "filename": .string("maynotimporthere"), "isShared": .bool(false),
            "documentSize": .integer(10), "userInfo": .object([:] as [String: PredicateValue]),
        ]
    }
    private static var all: [String: PredicateValue] {
        [
            "action": .string("Move"), "sourceItem": .object(item),
            "destinationItem": .object(folder),
            "sourceItemsCount": .integer(2),
            "fileproviderItems": .list([.object(item), .object(folder)]),
            "nothing": .list([]), "numbers": .list([.integer(3), .real(1.5), .null, .bool(true)]),
            "domainUserInfo": .object(["featureFlag": .bool(true)] as [String: PredicateValue]),
            "grid": .list([.list([.integer(1)]), .list([.integer(2)])]),
        ]
    }

    private func holds(_ text: String) throws -> Bool {
        try ActivationRule(text).holds(for: Self.all)
    }

    @Test(
        "reads what extensions declare",
        arguments: [
            ("TRUEPREDICATE", true), ("falsepredicate", false),
            (
                "SUBQUERY ( fileproviderItems, $fileproviderItem,"
                    + " $fileproviderItem.userInfo.kept != nil ).@count > 0", true
            ),
            (
                "SUBQUERY( fileproviderItems, $i, $i.userInfo.\"com.example.testBit\" == YES"
                    + " ).@count > 0", true
            ),
            ("SUBQUERY(fileproviderItems, $item, $item.userInfo.kept == 0).@count > 0", false),
            ("SUBQUERY(fileproviderItems, $item, $item.userInfo.kept != YES).@count == 1", true),
            (
                "SUBQUERY(fileproviderItems, $i, $i.isShared == YES).@count"
                    + " == fileproviderItems.@count", false
            ),
            ("fileproviderItems.@count == 1", false),
            ("action == \"Move\"", true), ("action == Move", false),
            ("action IN {'Move', \"Copy\"}", true),
            (
                "sourceItem.isShared == YES AND\n\tdestinationItem.isShared == NO AND"
                    + "\r\n destinationItem.isSharedByCurrentUser == YES", false
            ),
            (
                "(action == 'MoveIn' OR action == 'Move') AND domainUserInfo.featureFlag == TRUE"
                    + " AND destinationItem.filename CONTAINS 'maynotimporthere'", true
            ),
            ("sourceItem.capabilities & 4 != 0", true),
            ("(sourceItem.capabilities & 64) != 0", false),
            ("sourceItem.userInfo.\"a.inherited\" == NO", true),
            ("sourceItem.contentType UTI-CONFORMS-TO 'com.adobe.pdf'", true),
            ("sourceItem.contentType uti-equals 'com.adobe.PDF'", true),
            ("ANY fileproviderItems.isShared == YES", true),
            ("ALL fileproviderItems.isShared == YES", false),
        ])
    func declared(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(
        "joins conditions as usual",
        arguments: [
            ("TRUEPREDICATE OR TRUEPREDICATE AND FALSEPREDICATE", true),
            ("(TRUEPREDICATE OR TRUEPREDICATE) AND FALSEPREDICATE", false),
            ("NOT FALSEPREDICATE AND FALSEPREDICATE", false), ("NOT NOT TRUEPREDICATE", true),
            ("!(1 == 2) && 3 == 3", true), ("1 == 2 || 2 == 2", true), ("not 1 = 2", true),
            ("((((1 + 1)) == 2))", true), ("NOT (1) == 2", true),
        ])
    func connectives(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(
        "compares numbers, and truth values as numbers",
        arguments: [
            ("1 = 1", true), ("1 == 1.0", true), ("1 <> 2", true), ("1 != 1", false),
            ("1 < 2", true), ("2 <= 2", true), ("2 =< 1", false), ("2 > 1", true),
            ("2 >= 3", false), ("3 => 3", true), ("YES == 1", true), ("0 == NO", true),
            ("YES > NO", true), ("2 == YES", false), ("0x1F == 31", true), ("0b101 == 5", true),
            ("0o17 == 15", true), ("1e3 == 1000", true), ("2.5e-1 == 0.25", true),
            ("9007199254740993 == 9007199254740992.0", false),
            ("9223372036854775807 < 9223372036854775808", true), ("-1 < 0.5", true),
            ("2 BETWEEN {1, 3}", true), ("3 BETWEEN {1, 3}", true), ("4 BETWEEN {1, 3}", false),
            ("sourceItem.creationDate < sourceItem.lastUsedDate", true),
            (
                "sourceItem.creationDate BETWEEN {sourceItem.creationDate, sourceItem.lastUsedDate}",
                true
            ),
            ("sourceItem.tagData == sourceItem.tagData", true),
        ])
    func numbers(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(
        "computes",
        arguments: [
            ("1 + 2 * 3 == 7", true), ("(1 + 2) * 3 == 9", true), ("10 - 2 - 3 == 5", true),
            ("7 / 2 == 3", true), ("7 / 2.0 == 3.5", true), ("- 3 + 4 == 1", true),
            ("6 & 3 | 8 == 10", true), ("1 + 1 & 2 == 2", true), ("--3 == 3", true),
            ("9223372036854775807 + 1 > 9223372036854775807", true),
            ("sourceItem.documentSize / 1024 / 1024 >= 1", true),
            ("1 / 0 == nil", true), ("0.5 & 1 == nil", true), ("'a' + 1 == nil", true),
            ("missing + 1 == NULL", true), ("1 / 0 > 0", false),
        ])
    func arithmetic(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(
        "compares texts, with case and accents or without",
        arguments: [
            ("'a' == 'a'", true), ("'a' == 'A'", false), ("'a' ==[c] 'A'", true),
            ("'é' == 'e'", false), ("'é' ==[d] 'e'", true), ("'É' ==[cd] 'e'", true),
            ("'É' ==[dc] 'e'", true), ("'É' ==[d] 'e'", false), ("'a' < 'b'", true),
            ("'B' < 'a'", true), ("'B' <[c] 'a'", false), ("'é' == 'e\\u0301'", true),
            ("'straße' ==[c] 'STRASSE'", true),
            ("sourceItem.filename CONTAINS '2026'", true),
            ("sourceItem.filename contains[cd] 'resume'", true),
            ("sourceItem.filename CONTAINS 'resume'", false),
            ("sourceItem.filename BEGINSWITH 'Ré'", true),
            ("sourceItem.filename ENDSWITH[c] '.PDF'", true), ("'abc' ENDSWITH 'ab'", false),
            ("'abc' CONTAINS ''", true), ("'b' IN 'abc'", true), ("'d' IN 'abc'", false),
            ("'aabaabaaac' CONTAINS 'aabaaa'", true), ("'aabaabaac' CONTAINS 'aabaaa'", false),
            ("'R' IN[c] {'q', 'r'}", true), ("sourceItem.tags CONTAINS 'red'", true),
            ("sourceItem.tags CONTAINS[c] 'blue'", true), ("'blue' IN sourceItem.tags", false),
            (#"sourceItem.userInfo.name == 'back\\slash'"#, true), (#""it's" == 'it\'s'"#, true),
            ("'\\t\\n\\r\\\"' == \"\t\n\r\\\"\"", true),
        ])
    func texts(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(
        "finds patterns",
        arguments: [
            ("'report.pdf' LIKE '*.pdf'", true), ("'report.pdf' LIKE '*.PDF'", false),
            ("'report.pdf' LIKE[c] '*.PDF'", true), ("'a' LIKE '?'", true),
            ("'ab' LIKE '?'", false),
            ("'😀' LIKE '?'", true), ("'a/b' LIKE 'a?b'", true), ("'a/b' LIKE '*'", true),
            (#"'a*b' LIKE 'a\\*b'"#, true), (#"'axb' LIKE 'a\\*b'"#, false),
            ("'Résumé' LIKE[cd] 'resume'", true), ("'abcabc' LIKE '*abc'", true),
            ("'' LIKE '*'", true),
            ("sourceItem.filename LIKE sourceItem.userInfo.pattern", true),
            ("'report-12.pdf' MATCHES '.*-[0-9]+[.]pdf'", true),
            ("'report' MATCHES 'rep'", false), ("'RePort' MATCHES[c] 'report|letter'", true),
            (#"'a1' MATCHES '\\w\\d'"#, true), ("'x' MATCHES sourceItem.userInfo.broken", false),
            ("'Ö' MATCHES[cd] '[a-z]'", true), ("5 LIKE '5'", false), ("missing LIKE '*'", false),
        ])
    func patterns(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(
        "takes what is missing for null, and what cannot be compared for unlike",
        arguments: [
            ("missing == nil", true), ("missing.further.still == NULL", true),
            ("missing != YES", true), ("missing == 0", false), ("missing < 1", false),
            ("missing >= nil", false), ("nil == nil", true), ("NOT missing == 1", true),
            ("'1' == 1", false), ("'1' != 1", true), ("'1' < 2", false),
            ("action.length == nil", true),
            ("sourceItem == sourceItem", false), ("sourceItem.creationDate < 5", false),
            ("missing IN {1, nil}", true), ("1 IN missing", false), ("5 CONTAINS 5", false),
            ("5 BETWEEN missing", false), ("ANY missing == 1", false), ("ALL missing == 1", true),
            ("NONE missing == 1", true), ("ANY action == 'Move'", false),
            ("missing.@count == 0", false),
            ("SUBQUERY(missing, $x, TRUEPREDICATE).@count == 0", true),
        ])
    func mismatches(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(
        "asks all elements of a list",
        arguments: [
            ("ANY fileproviderItems.documentSize > 100", true),
            ("SOME fileproviderItems.documentSize < 5", false),
            ("ALL fileproviderItems.documentSize > 5", true),
            ("NONE fileproviderItems.documentSize > 100", false),
            ("ALL nothing == 1", true), ("ANY nothing == 1", false), ("NONE nothing == 1", true),
            ("ANY sourceItem.tags LIKE 'r*'", true), ("ANY sourceItem.tags IN {'red'}", true),
            ("fileproviderItems.isShared == {YES, NO}", true),
            ("fileproviderItems.isShared == {YES}", false),
            ("fileproviderItems.@sum.documentSize == 1048586", true),
            ("fileproviderItems.@max.documentSize == 1048576", true),
            ("fileproviderItems.@min.filename == 'Résumé 2026.pdf'", true),
            ("SELF.numbers.@count == 4", true),
            ("fileproviderItems.@avg.documentSize == 524293", true),
            ("nothing.@max.x == nil", true), ("nothing.@sum.x == 0", true),
            ("nothing.@avg.x == nil", true),
            ("numbers[0] == 3 AND numbers[FIRST] == 3 AND numbers[last] == YES", true),
            ("numbers[SIZE] == 4", true), ("numbers[9] == nil", true), ("{1, 2}.@count == 2", true),
            ("{} == nothing", true), ("grid.@count == 2", true),
            (
                "SUBQUERY(fileproviderItems, $a, SUBQUERY(fileproviderItems, $b,"
                    + " $b.documentSize > $a.documentSize).@count > 0).@count == 1", true
            ),
            (
                "SUBQUERY(fileproviderItems, $x, $x.documentSize > sourceItemsCount).@count == 2",
                true
            ),
            (
                "SUBQUERY(fileproviderItems, $x, $x.isShared == YES).filename == {'Résumé 2026.pdf'}",
                true
            ),
        ])
    func lists(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test("takes words of the language for keys behind a dot, or a number sign")
    func keys() throws {
        #expect(try holds("sourceItem.userInfo.in == 'x'"))
        #expect(try holds("sourceItem.userInfo.#in == 'x'"))
        #expect(
            try ActivationRule("#in == 1 AND #NOT == 2").holds(
                for: ["in": .integer(1), "NOT": .integer(2)] as [String: PredicateValue]))
    }

    /// Knows nothing until it is asked, and remembers what for.
    private final class Lazy: PredicateObject {
        nonisolated(unsafe) var asked: [String] = []

        func value(for key: String) -> PredicateValue? {
            asked.append(key)
            return .integer(1)
        }

        func type(_ identifier: String, conformsTo other: String) -> Bool {
            other == "public.item"
        }
    }

    @Test("asks for no key that it does not need")
    func laziness() throws {
        let object = Lazy()
        #expect(try !ActivationRule("a == 2 AND b == 1").holds(for: object))
        #expect(object.asked == ["a"])
        #expect(try ActivationRule("'x' UTI-CONFORMS-TO 'public.item'").holds(for: object))
    }
}

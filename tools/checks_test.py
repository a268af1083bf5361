"""The checks find what they are there for: each rule is broken once, in a project made for it."""

import importlib.machinery
import importlib.util
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOOLS))


def load(name: str):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(TOOLS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


arrows = load("check-arrows")
tidy = load("check-tidy")
coverage = load("check-coverage")
guide = load("check-guide")

MANIFEST = """// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "Fixture", targets: [
    .target(name: "BasketSupport", path: "Shared/Support"),
    .target(name: "BasketStore", dependencies: ["BasketSupport"], path: "Server/Store"),
    .target(name: "BasketHTTP", dependencies: ["BasketSupport"], path: "Server/HTTP"),
    .testTarget(name: "StoreTests", dependencies: ["BasketStore"], path: "Tests/StoreTests"),
])
"""


class Fixture(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.write("Package.swift", MANIFEST)

    def write(self, path: str, text: str):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def targets(self, **dependencies: list[str]) -> list[dict]:
        folders = {
            "BasketSupport": "Shared/Support", "BasketStore": "Server/Store",
            "BasketHTTP": "Server/HTTP", "StoreTests": "Tests/StoreTests",
        }
        return [
            {"name": name, "path": path, "dependencies": [{"byName": [d, None]} for d in dependencies.get(name, [])]}
            for name, path in folders.items()
        ]


class ArrowTests(Fixture):
    def check(self, **dependencies):
        return arrows.problems(self.root, self.targets(**dependencies))

    def test_an_allowed_import_passes(self):
        self.write("Server/Store/Store.swift", "import BasketSupport\nimport Glibc\n")
        self.write("Tests/StoreTests/A.swift", "import Testing\n@testable import BasketStore\nimport CSQLite\n")
        self.assertEqual(self.check(BasketStore=["BasketSupport"]), [])

    def test_an_import_sideways_or_upwards_fails(self):
        for line in [
            "import BasketHTTP", "package import BasketHTTP", "@preconcurrency import BasketAPI",
            "import struct BasketHTTP.HTTPRequest", "import Glibc; import BasketHTTP", "import basket_server",
            "import CSQLite", "import Testing", "import SomethingElse", "@_spi(Inner) import BasketHTTP",
        ]:
            self.write("Server/Store/Store.swift", f"// fine\n{line}\n")
            found = self.check()
            self.assertEqual(len(found), 1, line)
            self.assertTrue(found[0].startswith("Server/Store/Store.swift:2: BasketStore "), found)

    def test_a_word_in_a_comment_or_a_text_is_no_import(self):
        self.write("Server/Store/Store.swift", '/* a /* b */\nimport BasketHTTP\n*/\nlet x = """\nimport BasketHTTP\n"""\n')
        self.assertEqual(self.check(), [])

    def test_a_dependency_in_the_manifest_fails(self):
        found = self.check(BasketSupport=["BasketStore"])
        self.assertEqual(found, ["Package.swift: BasketSupport must not use BasketStore"])

    def test_a_file_outside_of_every_target_fails(self):
        self.write("Server/Other/Other.swift", "struct Other {}\n")
        self.assertIn("belongs to no target", self.check()[0])

    def test_the_client_s_system_side_does_not_know_the_server(self):
        for module in ["FileProviderHost", "FileProviderReplica", "FileProviderMount"]:
            reached = arrows.below(module)
            for name in ["BasketModels", "BasketConnection", "BasketProvider", "BasketStore", "CCurl"]:
                self.assertNotIn(name, reached, module)

    def test_no_arrow_leads_back(self):
        for module in arrows.ARROWS:
            self.assertNotIn(module, arrows.below(module))

    def test_the_command_fails_on_a_forbidden_arrow(self):
        self.write("Shared/Support/Clock.swift", "import BasketHTTP\nstruct Clock {}\n")
        run = subprocess.run([TOOLS / "check-arrows", self.root], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn("Clock.swift:1: BasketSupport must not use BasketHTTP", run.stderr)


class TidyTests(Fixture):
    def test_the_core_asks_the_world(self):
        for line in [
            "let a = Date()", "let a = UUID()", "Task { }", "Task.detached { }", "try await Task.sleep(for: .zero)",
            "Int.random(in: 0...1)", "var g = SystemRandomNumberGenerator()", "ContinuousClock().now", 'print("x")',
            "Task(priority: .low) { }", "Task<Void, Never> { }",
        ]:
            self.write("Server/Store/Store.swift", f"struct Store {{}}\n{line}\n")
            self.assertEqual(len(tidy.problems(self.root)), 1, line)

    def test_the_shell_may_ask_the_machine(self):
        self.write("Server/HTTP/Server.swift", "struct Server {}\nTask { }\n")
        self.assertEqual(tidy.problems(self.root), [])

    def test_a_comment_may_speak_of_it(self):
        self.write("Server/Store/Store.swift", '// never Date()\nstruct Store { let a = "Task {" ; func footprint() {} }\nfootprint()\n')
        self.assertEqual(tidy.problems(self.root), [])

    def test_nothing_is_checked_in_a_debugging_build_alone(self):
        self.write("Server/HTTP/Server.swift", "struct Server {}\nassert(true)\nassertionFailure()\n")
        self.assertEqual(len(tidy.problems(self.root)), 2)
        self.write("Server/HTTP/Server.swift", "struct Server {}\nprecondition(true)\nproof.assert(true)\n")
        self.assertEqual(tidy.problems(self.root), [])

    def test_a_long_file_fails(self):
        self.write("Server/HTTP/Server.swift", "struct Server {}\n" * 401)
        self.assertIn("401 lines", tidy.problems(self.root)[0])

    def test_a_file_is_named_after_what_is_in_it(self):
        self.write("Server/HTTP/Router.swift", "struct Server {}\n")
        self.write("Server/HTTP/Server+Stop.swift", "extension Router {}\n")
        self.assertEqual(len(tidy.problems(self.root)), 2)
        self.write("Server/HTTP/Router.swift", "package struct Router {}\n")
        self.write("Server/HTTP/Server+Stop.swift", "extension Server {}\n")
        self.assertEqual(tidy.problems(self.root), [])

    def test_a_file_holds_one_type(self):
        for more in [
            "enum Verb {}", "package struct Verb {}", "public final class Verb {}", "actor Verb {}",
            "package protocol Verb {}", "@usableFromInline\npackage indirect enum Verb {}",
            "@available(*, deprecated) struct Verb: Sendable {}", "nonisolated struct Verb<Object> {}",
        ]:
            for path in [
                "Server/HTTP/Router.swift", "Shared/Models/Router.swift", "Sources/basket/Router.swift",
                "Tests/Support/Router.swift", "Tests/HTTPTests/Support/Router.swift",
            ]:
                self.write(path, f"struct Router {{}}\n\n{more}\n")
                line = 3 + more.count("\n")
                found = tidy.problems(self.root)
                self.assertEqual(found, [f"{path}:{line}: Verb wants a file of its own, Verb.swift"], more)
                (self.root / path).unlink()

    def test_a_file_of_an_extension_or_a_function_declares_no_type(self):
        self.write("Server/HTTP/Router+Paths.swift", "struct Path {}\nextension Router {}\n")
        self.write("Server/HTTP/Route.swift", "func route() {}\nenum Verb {}\n")
        self.assertEqual(len(tidy.problems(self.root)), 2)

    def test_what_is_private_or_inside_needs_no_file(self):
        for more in [
            "private struct Verb {}", "fileprivate final class Verb {}", "@MainActor private actor Verb {}",
            "extension Verb {}", "extension Router {\n    package struct Verb {}\n}", "// struct Verb {}",
            'let text = """\nstruct Verb {}\n"""', "import struct BasketHTTP.Verb", "typealias Verb = Int",
        ]:
            self.write("Server/HTTP/Router.swift", f"struct Router {{\n    enum Part {{}}\n}}\n{more}\n")
            self.assertEqual(tidy.problems(self.root), [], more)

    def test_a_file_of_tests_may_hold_several_suites(self):
        self.write("Tests/HTTPTests/RouterTests.swift", "struct RouterTests {}\nstruct VerbTests {}\n")
        self.assertEqual(tidy.problems(self.root), [])

    def test_a_note_to_do_it_later_fails(self):
        for path, mark in [("docs/a.md", "TO" "DO"), ("tools/run", "FIX" "ME"), ("README.md", "TO" "DO")]:
            self.write(path, f"# {mark}: later\n")
            self.assertEqual(len(tidy.problems(self.root)), 1, path)
            (self.root / path).unlink()


class CoverageTests(unittest.TestCase):
    TEXTS = {
        "ItemTests": '@Test("is a folder")', "LockTests": '@Test("ends by itself")',
        "APITests/LockTests": '@Test("ends by itself")', "StoreTests/LockTests": "",
    }

    def test_names_what_is_there(self):
        row = "| kinds | ItemTests “is a folder”; LockTests “ends by itself” |"
        self.assertEqual(coverage.complaints(row, self.TEXTS), [])
        self.assertEqual(coverage.complaints("| a | APITests/LockTests “ends by itself” |", self.TEXTS), [])

    def test_finds_what_is_not(self):
        for row in [
            "| a | ItemTests “is a file” |",
            "| a | TrashTests |",
            "| a | LockTests “is a folder” |",
            "| a | StoreTests/LockTests “ends by itself” |",
            "| a | ModelsTests/LockTests |",
            "| a | “is a folder” |",
        ]:
            self.assertEqual(len(coverage.complaints(row, self.TEXTS)), 1, row)


class GuideTests(unittest.TestCase):
    BLOCKS = [(3, "", "curl a"), (7, "412", "curl b")]

    def test_takes_what_was_said(self):
        self.assertEqual(guide.complaints(self.BLOCKS, "== line 3\n200\n== line 7\n412\n"), [])

    def test_finds_what_was_not(self):
        for statuses in [
            "== line 3\n404\n== line 7\n412\n",
            "== line 3\n200\n== line 7\n200\n",
            "== line 3\n000\n== line 7\n412\n",
        ]:
            self.assertEqual(len(guide.complaints(self.BLOCKS, statuses)), 1, statuses)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])

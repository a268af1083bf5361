"""What the checks need to know about Swift's sources, without a compiler."""

import re
from pathlib import Path

# Folders that hold our Swift, from the root of the project.
SOURCE_FOLDERS = ["Sources", "Shared", "Server", "Client", "Tests", "Benchmarks"]

_COMMENT_OR_TEXT = re.compile(
    r'(?P<raw>(?P<hashes>#+)"(?:""(?:.|\n)*?""|[^\n]*?)"(?P=hashes))'
    r'|(?P<block>"""(?:\\.|[^\\])*?""")'
    r'|(?P<text>"(?:\\.|[^"\\\n])*")'
    r'|(?P<line>//[^\n]*)'
    r'|(?P<comment>/\*)',
    re.DOTALL,
)


def swift_files(root: Path) -> list[Path]:
    """Every Swift file of ours, in a fixed order."""
    found = []
    for folder in SOURCE_FOLDERS:
        found += (root / folder).rglob("*.swift")
    return sorted(path for path in found if ".build" not in path.parts)


def code_only(text: str) -> str:
    """The text with comments and string literals blanked out; lines keep their numbers.

    An interpolation inside a literal is blanked too: nothing that the checks look for is worth a
    parser of Swift.
    """
    kept = []
    position = 0
    while match := _COMMENT_OR_TEXT.search(text, position):
        end = match.end()
        if match.group("comment"):
            end = _end_of_comment(text, match.start())
        kept.append(text[position : match.start()])
        kept.append(re.sub(r"[^\n]", " ", text[match.start() : end]))
        position = end
    kept.append(text[position:])
    return "".join(kept)


def _end_of_comment(text: str, start: int) -> int:
    """Where a block comment ends; in Swift they nest."""
    depth = 0
    for mark in re.compile(r"/\*|\*/").finditer(text, start):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(text)

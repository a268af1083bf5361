"""git's status of files that have not changed since it has read them."""

import time
from pathlib import Path

from processes import run
from session import Session, seconds_of
from trees import Tree, Trees

# Git's first look reads every file, one after another. Whose mount takes longer for that is not waited for.
MOST_SECONDS = 300


class Status:
    """Has one repository for all trees, beside them; each has an index of its own, which knows its files' dates."""

    def __init__(self, session: Session, trees: Trees) -> None:
        self._folder = session.work / "repository"
        self._folder.mkdir()
        run(self._git(trees.disk, "init", "--quiet", "--initial-branch=main"), timeout=MOST_SECONDS)
        run(self._git(trees.disk, "fast-import", "--quiet"), input=_history(trees.disk.folder), timeout=MOST_SECONDS)

        def prepare(tree: Tree) -> None:
            start = time.monotonic()
            run(self._git(tree, "read-tree", "main"), timeout=MOST_SECONDS)
            # The first one looks into every file, the second one sees what reading has made of their dates.
            for _ in range(2):
                if changes := run(self._git(tree, "status", "--porcelain"), timeout=MOST_SECONDS):
                    raise RuntimeError(f"{tree.folder} has {len(changes.splitlines())} other files than the disk")
            session.say(f"{tree.name}: git has looked into every file after {time.monotonic() - start:.0f} s")

        trees.each(prepare)

    def seconds(self, tree: Tree) -> float:
        return seconds_of(["timeout", str(MOST_SECONDS), *self._git(tree, "status")])

    def _git(self, tree: Tree, *words: str) -> list[str]:
        return [
            "env", f"GIT_INDEX_FILE={self._index(tree)}", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
            "git", "-C", str(tree.folder), f"--git-dir={self._folder / '.git'}", f"--work-tree={tree.folder}",
            *words,
        ]

    def _index(self, tree: Tree) -> Path:
        return self._folder / f"{tree.name}.index"


def _history(folder: Path) -> str:
    """One commit of all files, as git's fast-import takes it: to add them makes a file of each, or takes minutes."""
    lines = ["commit refs/heads/main", "committer bench <bench@localhost> 0 +0000", "data 0"]
    for file in sorted(folder.glob("*/*")):
        content = file.read_text()
        lines += [f"M 100644 inline {file.relative_to(folder)}", f"data {len(content)}", content]
    return "\n".join(lines) + "\n"

"""Files are written under a temporary name, so that nobody who is killed leaves half of one."""

import ast

import pytest

METHODS = {"write_text", "write_bytes", "savefig", "tofile"}
# Without the name of a file they return what they would write.
OF_FRAMES = {f"to_{kind}" for kind in ("csv", "json", "html", "latex", "markdown", "pickle")}
FUNCTIONS = {
    *(f"np.{name}" for name in ("save", "savez", "savez_compressed", "savetxt")),
    *(f"shutil.{name}" for name in ("copy", "copy2", "copyfile", "copyfileobj", "move")),
    *("json.dump", "pickle.dump", "joblib.dump"),
}
# The one module that may, and the lock files, in which nothing is written.
ALLOWED = {"storage.py", "locks.py"}


class Writes(ast.NodeVisitor):
    """Line numbers of calls that write a file other than the one that ``new_file`` has given."""

    def __init__(self):
        self.fresh, self.lines = [], []

    def visit_With(self, node):
        given = [
            item.optional_vars.id
            for item in node.items
            if isinstance(item.context_expr, ast.Call)
            and ast.unparse(item.context_expr.func).endswith("new_file")
        ]
        self.fresh += given
        self.generic_visit(node)
        del self.fresh[len(self.fresh) - len(given) :]

    def visit_Call(self, node):
        name = ast.unparse(node.func).rpartition(".")
        if self.writes(node, *name[::2]) and not self.is_fresh(node):
            self.lines.append(node.lineno)
        self.generic_visit(node)

    @staticmethod
    def writes(node, owner, name):
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if name == "open":
            modes = [
                value.value
                for value in (*node.args, *keywords.values())
                if isinstance(value, ast.Constant) and isinstance(value.value, str)
            ]
            to_write = any(len(mode) < 4 and set(mode) & set("wax+") for mode in modes)
            return to_write and "fileobj" not in keywords
        if name in OF_FRAMES:
            return bool(owner and (node.args or {"path_or_buf", "buf", "path"} & keywords.keys()))
        return name in METHODS or f"{owner}.{name}" in FUNCTIONS

    def is_fresh(self, node):
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        names = {value.id for value in (owner, *node.args) if isinstance(value, ast.Name)}
        return bool(names & set(self.fresh))


def bare_writes(text):
    found = Writes()
    found.visit(ast.parse(text))
    return found.lines


def test_files_are_written_under_a_temporary_name(repository):
    files = [*(repository / "src/ccc").rglob("*.py"), *(repository / "workflow").rglob("*.py")]
    found = [
        f"{file.relative_to(repository)}:{line}"
        for file in files
        if file.name not in ALLOWED
        for line in bare_writes(file.read_text(encoding="utf-8"))
    ]
    assert len(files) > 100 and found == []


@pytest.mark.parametrize(
    "line",
    [
        "open(name, 'w')",
        "open(name, mode='ab')",
        "file.open('x')",
        "io.open(name, 'r+')",
        "Path(name).write_text(text)",
        "path.write_bytes(content)",
        "frame.to_csv(output.scores, index=False)",
        "frame.to_csv(path_or_buf=name)",
        "figure.savefig(output.pdf)",
        "np.save(name, array)",
        "np.savez(name, a=array)",
        "np.savetxt(name, array)",
        "array.tofile(name)",
        "json.dump(value, stream)",
        "shutil.copy2(here, there)",
        "with new_file(a) as file:\n    b.write_text(text)",
        "with new_file(a) as file:\n    pass\nfile.write_text(text)",
    ],
)
def test_a_bare_write_is_found(line):
    assert bare_writes(line)


@pytest.mark.parametrize(
    "line",
    [
        "open(name)",
        "open(name, 'rb')",
        "tarfile.open(fileobj=buffer, mode='w')",
        "frame.to_csv(index=False)",
        "array.copy()",
        "cluster.move(gamma, other)",
        "path_of_results.save(name)",
        "with new_file(name) as file:\n    file.write_text(text)",
        "with new_file(name) as file, file.open('wb') as stream:\n    stream.write(content)",
        "with storage.new_file(name) as file:\n    frame.to_csv(file, index=False)",
    ],
)
def test_other_calls_are_left_alone(line):
    assert bare_writes(line) == []

"""The stub of the extension module says what the module has."""

import ast
from pathlib import Path

import porpentine
from porpentine import _core

STUB = Path(porpentine.__file__).parent / "_core.pyi"


def stubbed(body):
    """Names that a body of a stub defines, private ones left out."""
    names = set()
    for statement in body:
        if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
            names.add(statement.name)
        elif isinstance(statement, ast.AnnAssign):
            names.add(statement.target.id)
    return {name for name in names if not name.startswith("_") or name in ("__len__", "__version__")}


def present(scope):
    """Names that a module or class has."""
    return {name for name in vars(scope) if not name.startswith("_") or name in ("__len__", "__version__")}


def test_names_agree():
    tree = ast.parse(STUB.read_text())
    assert stubbed(tree.body) == present(_core)
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            assert stubbed(statement.body) == present(getattr(_core, statement.name)), statement.name


def test_arguments_agree():
    def arguments(function):
        return [a.arg for a in function.args.args + function.args.kwonlyargs if a.arg != "self"]

    tree = ast.parse(STUB.read_text())
    scopes = [(_core, tree.body)]
    scopes += [(getattr(_core, s.name), s.body) for s in tree.body if isinstance(s, ast.ClassDef)]
    for scope, body in scopes:
        for function in body:
            if not isinstance(function, ast.FunctionDef) or function.decorator_list or function.name == "__len__":
                continue
            signature = getattr(scope, function.name).__doc__.splitlines()[0].partition("(")[2].partition(") ->")[0]
            said = [part.partition(":")[0].strip() for part in signature.split(", ") if ":" in part]
            said = [name for name in said if name.isidentifier() and name != "self"]
            assert said == arguments(function), function.name


def test_the_package_says_that_it_is_typed():
    assert (STUB.parent / "py.typed").exists()
    assert all(hasattr(porpentine, name) for name in porpentine.__all__)

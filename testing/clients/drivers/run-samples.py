"""Runs Python samples, each in a process of its own that has the libraries loaded already.

Each line of the input is the path of a sample. The packages that the sample imports are loaded
here, once; then a copy of this process runs the unchanged text of the file. What it prints goes to
the file's path with ".out" and ".err". Each line of the output is how the sample ended.
"""
import ast
import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import sys
import threading
import traceback

LIMIT_SECONDS = int(os.environ.pop("SAMPLE_LIMIT_SECONDS"))


def load(file):
    """Loads what the sample imports at its top. What cannot be loaded fails in the sample."""
    try:
        with open(file, encoding="utf8") as source:
            statements = ast.parse(source.read()).body
    except (OSError, SyntaxError):
        return
    for statement in statements:
        names = []
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            names = [statement.module]
        for name in names:
            # The second is what a client loads when it is first used.
            for module in (name, name + ".resources"):
                try:
                    importlib.import_module(module)
                except ImportError:
                    break


def become(file):
    """The copy: the process that `python file` would be. Never returns."""
    # The default of this signal ends the process, also one that waits for ever.
    signal.alarm(LIMIT_SECONDS)
    for descriptor, ending in ((1, ".out"), (2, ".err")):
        opened = os.open(file + ending, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv[:] = [file]
    sys.path[0] = os.path.dirname(file)
    status = 0
    try:
        runpy.run_path(file, run_name="__main__")
    except SystemExit as end:
        if end.code is not None:
            status = end.code if isinstance(end.code, int) else 1
        if status == 1 and end.code != 1:
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        status = 1
    # What the end of a program does, but for the release of every library, which takes seconds.
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


for line in sys.stdin:
    file = json.loads(line)
    load(file)
    # The copy shares what is loaded, as long as nothing looks through it.
    gc.freeze()
    child = os.fork()
    if child == 0:
        become(file)
    _, status = os.waitpid(child, 0)
    print(json.dumps(os.waitstatus_to_exitcode(status)), flush=True)

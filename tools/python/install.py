"""Creates a Python environment with pinned packages: install.py FOLDER REQUIREMENTS.

Only one process installs a list of packages at a time. Other processes wait for the lock, and then find the finished
environment. The kernel releases the lock when the process that holds it ends, also after a crash.
"""

import fcntl
import shutil
import subprocess
import sys
import venv
from pathlib import Path

PIP = ["install", "--quiet", "--disable-pip-version-check", "--retries", "1"]


def main() -> None:
    folder, requirements = map(Path, sys.argv[1:])
    with requirements.open("rb") as pinned:
        fcntl.flock(pinned, fcntl.LOCK_EX)
        wanted, held = pinned.read(), folder / "requirements.txt"
        if held.exists() and held.read_bytes() == wanted:
            return
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        code = subprocess.run([folder / "bin" / "pip", *PIP, "-r", requirements]).returncode
        if code != 0:
            sys.exit(code)
        held.write_bytes(wanted)


main()

"""Each Python that the gate starts, and each that one of these starts, notes what it reads of the repository.

The gate puts this folder into PYTHONPATH, so Python imports the module by itself. Not seen are other programs (node,
make), a compiled library that opens a file, and a Python that has not this environment or may not write.
"""

import os
import sys
from contextlib import suppress


def watch(log: str, root: str) -> None:
    """Writes each file that is opened and each folder that is listed below root, once."""
    written, known = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), set()

    def note(event: str, values: tuple[object, ...]) -> None:
        if event in ("open", "os.listdir", "os.scandir") and isinstance(values[0], (str, bytes, os.PathLike)):
            path = os.path.abspath(os.fsdecode(values[0]))
            if path.startswith(root) and path not in known:
                known.add(path)
                with suppress(OSError):  # a test may limit the size of files
                    os.write(written, f"{path[len(root) :]}\n".encode(errors="replace"))

    sys.addaudithook(note)


if "GATE_READS" in os.environ:
    watch(os.environ["GATE_READS"], os.path.abspath(f"{__file__}/../../..") + os.sep)

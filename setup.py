"""What pyproject.toml cannot say: the page is built before the package is put together."""

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithPage(build_py):
    def run(self) -> None:
        runpy.run_path(str(Path(__file__).parent / "web" / "build.py"), run_name="build")["build"]()
        # What belongs to the package is looked up anew: the page was not there a moment ago.
        self.__dict__.pop("data_files", None)
        super().run()


setup(cmdclass={"build_py": BuildWithPage})

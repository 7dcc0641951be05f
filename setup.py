"""What `pyproject.toml` cannot say: where the sample data stand once they are installed.

They stand at the top of a checkout, and beside the modules of the package in an installation, which
puts one name into the environment and no other.
"""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["dpcore", "dpcore.*"]), "dpcore.sample_data"],
    package_dir={"dpcore.sample_data": "sample_data"},
)

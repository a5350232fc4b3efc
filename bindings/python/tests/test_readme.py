"""The examples of the README run."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
EXAMPLES = re.findall(r"## (.*?)\n.*?```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("code", [code for _, code in EXAMPLES], ids=[name for name, _ in EXAMPLES])
def test_example(code, games, capsys):
    exec(compile(code, str(README), "exec"), {})
    assert capsys.readouterr().out


def test_there_are_examples():
    assert len(EXAMPLES) == 3

"""Makes src/gamut/hall/names/confusables.txt out of Unicode's confusables.txt:

    python tools/confusables.py confusables.txt > src/gamut/hall/names/confusables.txt

The file is https://www.unicode.org/Public/security/latest/confusables.txt; ICU's sources have it, too.
"""

import sys
import unicodedata
from collections import defaultdict
from pathlib import Path

HEAD = """\
# Which characters look alike, in hexadecimal: an appearance; and all that have it. Made by tools/confusables.py.
#
# Taken from confusables.txt, version {version}, of UTS 39, without the characters that NFKC takes apart.
# {copyright} Unicode and the Unicode Logo are registered trademarks of Unicode, Inc. in the U.S.
# and other countries. Changed as said above, and distributed under the licence in LICENSES/Unicode.txt.
"""


def main(path: str) -> None:
    text = Path(path).read_text(encoding="utf-8-sig")
    said = [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")]
    version = next(line.removeprefix("Version: ") for line in said if line.startswith("Version: "))
    owner = next(line for line in said if line.startswith("©"))
    alike: dict[str, list[str]] = defaultdict(list)
    for line in text.splitlines():
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if len(fields) < 2:
            continue
        character = chr(int(fields[0], 16))
        if all(unicodedata.normalize(form, character) == character for form in ("NFKC", "NFD")):
            alike[fields[1]].append(fields[0].lstrip("0"))
    lines = (f"{_short(look)};{' '.join(found)}\n" for look, found in sorted(alike.items()))
    sys.stdout.write(HEAD.format(version=version, copyright=owner) + "".join(lines))


def _short(codes: str) -> str:
    return " ".join(code.lstrip("0") for code in codes.split())


main(sys.argv[1])

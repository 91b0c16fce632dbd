"""An engine for tests. What it does is said on its command line, one word for each question, the last one for the rest.

first    the first legal action          wrong    an action that there is not
resign   gives up                        odd      a line that is no JSON
error    says that it cannot             late     answers the question before this one first
crash    ends without an answer          endless  a line that never ends
hang     never answers                   leave    answers as first does, and ends
"""

import json
import sys
from typing import Any


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(words: list[str]) -> None:
    before: dict[str, Any] = {"id": 0, "resign": True}
    for count, line in enumerate(sys.stdin):
        asked = json.loads(line)
        word = words[min(count, len(words) - 1)]
        answer: dict[str, Any] = {"id": asked["id"]}
        match word:
            case "crash":
                sys.exit(3)
            case "hang":
                continue
            case "odd":
                say("what?")
                continue
            case "endless":
                sys.stdout.write("x" * 2_000_000)
                sys.stdout.flush()
                continue
            case "resign":
                answer["resign"] = True
            case "error":
                answer["error"] = "no idea"
            case "wrong":
                answer["action"] = {"type": "nothing"}
            case "late":
                say(json.dumps(before))
                answer["action"] = asked["legal"][0]
            case _:
                answer["action"] = asked["legal"][0]
        before = answer
        say(json.dumps(answer))
        if word == "leave":
            return


if __name__ == "__main__":
    main(sys.argv[1:])

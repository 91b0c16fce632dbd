"""An engine of Tafl for tests. What it does is said on its command line.

One word for each `play`, the last one for the rest:

play     a move, as our own bot would find it     silent   never greets
cheat    a move that nobody may make              crash    ends without an answer
slip     the same, and then a good one            hang     never answers
resign   gives up                                 chat     says a lot, but never moves
hungry   wants four gigabytes, and then plays
"""

import resource
import sys
from random import Random
from time import sleep

from gamut.engines.opentafl.player import Player


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(words: list[str]) -> None:
    player = Player("casual", Random(1))
    if words[0] != "silent":
        say("hello")
    count = 0
    slipped = False
    for line in sys.stdin:
        if not line.startswith("play"):
            for answer in player.hear(line.encode()):
                say(answer)
            if player.ended:
                return
            continue
        word = words[min(count, len(words) - 1)]
        count += 1
        match word:
            case "crash":
                sys.exit(3)
            case "hang" | "silent":
                continue
            case "chat":
                while True:
                    say("status still thinking")
                    sleep(0.01)
            case "cheat":
                say("move a1-a2")
                continue
            case "slip" if not slipped:
                slipped = True
                count -= 1
                say("move a1-a2")
                continue
            case "resign":
                say("move ---")
                continue
            case "hungry":
                say(f"status at most {resource.getrlimit(resource.RLIMIT_AS)[0]}")
                bytearray(1 << 32)
            case _:
                pass
        slipped = False
        for answer in player.hear(line.encode()):
            say(answer)


if __name__ == "__main__":
    main(sys.argv[1:])

"""A recorded game told to people, and its positions to programs."""

from collections.abc import Iterator
from typing import Any

from gamut.games.acquire.actions import NAMES, params_of
from gamut.games.acquire.board import CHAINS, PRICES, rows_of, tile_name
from gamut.games.acquire.files.playback import steps
from gamut.games.acquire.files.record import Record
from gamut.games.acquire.kinds import UNSEEN, rack_kinds
from gamut.games.acquire.options import MODE_NAMES, MODES
from gamut.games.acquire.scores import nets, places, team_scores
from gamut.games.acquire.state import AcquireState, Acted, Began, Forfeited, Message
from gamut.games.files import Step, plain
from gamut.games.game import team_letter

# For people


def told(record: Record) -> Iterator[str]:
    """Who played, what happened, the last board, and what everybody is worth. Raises BadFile."""
    mode = MODES[MODE_NAMES[record.mode]]
    names = [plain(name) or f"Player {number}" for number, name in enumerate(record.names, 1)]
    yield f"Acquire: {mode.title}"
    if record.starting is not None:
        yield f"  {record.starting} seconds for each player, and {record.increment} more after each action"
    for number, name in enumerate(names):
        team = "" if mode.singles else f", team {team_letter(number % mode.teams)}"
        yield f"  {number + 1}. {name}{team}"
    yield ""
    state: AcquireState | None = None
    for step in steps(record):
        state = step.state
        if isinstance(step.event, Forfeited):
            yield f"      {names[step.event.seat]} forfeited the game"
            continue
        automatic = isinstance(step.event, Acted) and step.event.auto
        for place, message in enumerate(step.event.history):
            number_ = f"{step.state.actions - 1:>4}." if place == 0 else "     "
            yield f"{number_} {in_words(message, names)}{' (automatic)' if automatic and place == 0 else ''}"
    assert state is not None
    yield ""
    yield from board_lines(state.board)
    yield ""
    yield from _standings(state, names)


def board_lines(board: str) -> Iterator[str]:
    yield "    " + " ".join(f"{column:>2}" for column in range(1, 13))
    for letter, row in zip("ABCDEFGHI", rows_of(board), strict=True):
        yield f"  {letter} " + " ".join(f"{cell:>2}" for cell in row)


def in_words(message: Message, names: list[str]) -> str:
    kind, *rest = message
    who = names[rest[0]] if rest and isinstance(rest[0], int) else ""
    match kind, rest[1:]:
        case "TurnBegan", _:
            return f"{who}'s turn began"
        case (("DrewPositionTile" | "DrewTile" | "PlayedTile"), [int(tile)]):
            words = {
                "DrewPositionTile": "drew position tile",
                "DrewTile": "drew tile",
                "PlayedTile": "played tile",
            }
            return f"{who} {words[str(kind)]} {tile_name(tile)}"
        case "ReplacedDeadTile", [int(tile)]:
            return f"{who} replaced dead tile {tile_name(tile)}"
        case "StartedGame", _:
            return f"{who} started the game"
        case "HasNoPlayableTile", _:
            return f"{who} has no playable tile"
        case "FormedChain", [int(chain)]:
            return f"{who} formed {CHAINS[chain]}"
        case "MergedChains", [tuple(chains)]:
            return f"{who} merged {_listed([CHAINS[chain] for chain in chains if isinstance(chain, int)])}"
        case "SelectedMergerSurvivor", [int(chain)]:
            return f"{who} chose {CHAINS[chain]} to survive"
        case "SelectedChainToDisposeOfNext", [int(chain)]:
            return f"{who} chose {CHAINS[chain]} to be disposed of next"
        case "ReceivedBonus", [int(chain), int(bonus)]:
            return f"{who} received a bonus of ${bonus * 100} for {CHAINS[chain]}"
        case "DisposedOfShares", [int(chain), int(trade), int(sell)]:
            return f"{who} traded {trade} and sold {sell} shares of {CHAINS[chain]}"
        case "CouldNotAffordAnyShares", _:
            return f"{who} could not afford any shares"
        case "PurchasedShares", [tuple(bought)]:
            shares = [f"{pair[1]} {CHAINS[pair[0]]}" for pair in bought if isinstance(pair, tuple)]
            return f"{who} bought {_listed(shares) if shares else 'nothing'}"
        case "DrewLastTile", _:
            return f"{who} drew the last tile"
        case "EndedGame", _:
            return f"{who} ended the game"
        case "NoTilesPlayedForEntireRound", _:
            return "No tile was played for an entire round: the game is over"
        case _:
            return "All tiles are played: the game is over"


def _listed(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _standings(state: AcquireState, names: list[str]) -> Iterator[str]:
    worth = nets(state)
    scores = team_scores(worth, state.teams)
    placed = places(scores)
    if state.next.action != "GameOver":
        yield "The game was not played to its end."
    for seat, name in enumerate(names):
        team = seat % state.teams
        together = "" if state.teams == len(names) else f", the team ${scores[team] * 100}"
        yield f"{placed[team]}. {name}: ${worth[seat] * 100}{together}"


# For programs


def shown(state: AcquireState) -> dict[str, Any]:
    """A position in the terms in which programs for this game put it."""
    worth = nets(state)
    return {
        "next": shown_next(state),
        "turnPlayer": state.next.turn,
        "board": rows_of(state.board),
        "scores": [
            [*shares, cash, net] for shares, cash, net in zip(state.shares, state.cash, worth, strict=True)
        ],
        "available": state.available,
        "chainSize": state.sizes,
        "price": [PRICES[chain][size] for chain, size in enumerate(state.sizes)],
        "racks": state.racks,
        "rackTypes": [None if UNSEEN in rack else rack_kinds(state.board, rack) for rack in state.racks],
        "forfeits": state.forfeited,
    }


def shown_next(state: AcquireState) -> dict[str, Any]:
    """What is awaited, with what whoever is to act must know."""
    awaited = state.next
    found: dict[str, Any] = {"player": awaited.seat, "action": awaited.action}
    if awaited.action == "PurchaseShares":
        found["canEndGame"] = awaited.can_end
    elif awaited.chains:
        found["chains"] = awaited.chains
    elif awaited.survivor is not None and awaited.defunct is not None:
        found["defunct"] = awaited.defunct
        found["survivor"] = awaited.survivor
        found["owned"] = state.shares[awaited.seat][awaited.defunct]
        found["survivorAvailable"] = state.available[awaited.survivor]
    return found


def beside(step: Step) -> dict[str, Any]:
    """What happened, in the same terms: who did what, what was drawn and who saw it, and which tiles became known."""
    event = step.event
    if isinstance(event, Began):
        found: dict[str, Any] = {"player": event.host, "action": "StartGame", "params": []}
    elif isinstance(event, Acted):
        found = {"player": event.seat, "action": NAMES[type(event.action)], "params": params_of(event.action)}
        if event.auto:
            found["autoPlayed"] = True
    else:
        return {"player": event.seat, "action": "Forfeit"}
    found["history"] = event.history
    discarded = {message[2] for message in event.history if message[0] == "ReplacedDeadTile"}
    drawn = [
        [message[2], message[1] if message[0] == "DrewTile" and message[2] not in discarded else None]
        for message in event.history
        if message[0] in ("DrewTile", "DrewPositionTile")
    ]
    new = {tile for tile, _ in drawn}
    revealed = [
        [message[2], message[1]]
        for message in event.history
        if message[0] in ("PlayedTile", "ReplacedDeadTile") and message[2] not in new
    ]
    if drawn:
        found["drawn"] = drawn
    if revealed:
        found["revealed"] = revealed
    if event.next.action == "PlayTile":
        found["playableTilePlayer"] = event.next.seat
    return found

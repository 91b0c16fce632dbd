"""What each event does to a game of Topple. No checks, no chance."""

from msgspec.structs import replace

from gamut.games.game import Seat
from gamut.games.topple import scoring
from gamut.games.topple.cascade import cascade
from gamut.games.topple.events import Began, Event, Moved, Removed, Resumed, Skipped
from gamut.games.topple.state import TEAMS, Ending, Setup, ToppleState, following
from gamut.games.topple.topology import field


def evolve(state: ToppleState | None, event: Event) -> ToppleState:
    if state is None:
        assert isinstance(event, Began | Resumed)
        return _begun(event.setup) if isinstance(event, Began) else _resumed(event)
    if type(event) is Moved:
        return _moved(state, event.seat, event.tile)
    if isinstance(event, Skipped):
        return _skipped(state, event.seat)
    assert isinstance(event, Removed), "a game begins once"
    out = _removed(state, event.seat)
    if event.why != "resigned":
        return _over_if_one_team_is_left(out)
    # Whoever gives up has not won, however many points they have.
    return replace(out, turn=None, winner=state.setup.teams[next(out.living())], ending="resigned")


def _begun(setup: Setup) -> ToppleState:
    alive = tuple(team > 0 for team in setup.teams)
    return ToppleState(
        setup=setup,
        board=b"\1" * setup.tiles,
        owners=b"\0" * setup.tiles,
        owned=(setup.tiles,) + (0,) * TEAMS,
        alive=alive,
        turn=Seat(alive.index(True)),
        scores=scoring.start(setup.scoring),
    )


def _resumed(event: Resumed) -> ToppleState:
    state = ToppleState(
        setup=event.setup,
        board=event.board,
        owners=event.owners,
        owned=tuple(map(event.owners.count, range(TEAMS + 1))),
        alive=event.alive,
        turn=event.turn,
        scores=event.scores,
    )
    return _over_if_one_team_is_left(state)


def _moved(state: ToppleState, seat: Seat, tile: int) -> ToppleState:
    setup = state.setup
    team = setup.teams[seat]
    shape = field(setup.topology, setup.x, setup.y)
    # In a recorded game somebody may move who is alone, after the last turn.
    undecided = state.turn is not None and state.owned[0] > 1 and setup.scoring == "elim"
    if undecided and state.board[tile] < shape.limits[tile]:
        return _placed(state, seat, tile, team)
    board, owners, owned = bytearray(state.board), bytearray(state.owners), list(state.owned)
    _, emptied = cascade(shape, board, owners, owned, tile, team)

    alive = state.alive
    fell: tuple[Seat, ...] = ()
    if emptied and not owned[0]:
        fell = _captured_out(state, team, emptied)
        alive = tuple(living and seat not in fell for seat, living in enumerate(alive))
    won = owned[team] == len(board)

    scores = state.scores
    if setup.scoring != "elim" or not owned[0]:
        scores = _scored(state, board, owners, owned, team if won else None)

    turn = None if won else following(alive, seat)
    winner: int | None = None
    ending: Ending | None = None
    if turn is None:
        winner = scoring.best(setup.scoring, scores, team)
        ending = "everything" if won else "alone"
    # By position, because naming the fields would take a tenth of the time of a move.
    first, idle = False, 0
    return ToppleState(
        setup,
        bytes(board),
        bytes(owners),
        tuple(owned),
        alive,
        turn,
        scores,
        first,
        idle,
        fell,
        winner,
        ending,
    )


def _placed(state: ToppleState, seat: Seat, tile: int, team: int) -> ToppleState:
    """Most moves: nothing topples. And while there are neutral tiles nobody falls or wins, and there are no ranks."""
    board = bytearray(state.board)
    board[tile] += 1
    owners, owned = state.owners, state.owned
    if not owners[tile]:
        taken, counts = bytearray(owners), list(owned)
        taken[tile] = team
        counts[0] -= 1
        counts[team] += 1
        owners, owned = bytes(taken), tuple(counts)
    alive = state.alive
    return ToppleState(
        state.setup, bytes(board), owners, owned, alive, following(alive, seat), state.scores, False
    )


def _scored(
    state: ToppleState, board: bytearray, owners: bytearray, owned: list[int], winner: int | None
) -> scoring.Scores:
    """The scores after a move that left this on the board; `winner` is a team that owns all of it."""
    setup = state.setup

    def pieces() -> list[int]:
        if winner is None:
            return scoring.pieces_by_team(board, owners)
        # All pieces are the winner's, those included that were still falling when everything stopped.
        return [sum(state.board) + 1 if team == winner else 0 for team in range(TEAMS + 1)]

    playing = (team for team in setup.teams if team)
    return scoring.after_move(setup.scoring, state.scores, owned, playing, len(setup.teams), pieces)


def _captured_out(state: ToppleState, mover: int, emptied: list[int]) -> tuple[Seat, ...]:
    """Who falls, in order, when these lost their last tiles and no tile is neutral any more.

    While there are neutral tiles nobody falls. So those who had lost everything before the last neutral tile
    was taken fall together with it.
    """
    teams, living = state.setup.teams, list(state.living())
    fell: list[Seat] = []
    if 0 in emptied:
        place = emptied.index(0)
        before, emptied = emptied[:place], emptied[place + 1 :]
        for seat in living:
            team = teams[seat]
            if team in before or (not state.owned[team] and team != mover):
                fell.append(seat)
    for owner in emptied:
        fell += [seat for seat in living if teams[seat] == owner]
    return tuple(fell)


def _skipped(state: ToppleState, seat: Seat) -> ToppleState:
    idle = state.idle + 1
    skipped = replace(state, turn=state.after(seat), first=False, idle=idle, fell=())
    if idle < state.setup.idle_rounds * sum(state.alive):
        return skipped
    pieces = scoring.pieces_by_team(state.board, state.owners)
    teams = {state.setup.teams[seat] for seat in state.living()}
    most = max(teams, key=lambda team: (state.owned[team], pieces[team], -team))
    return _over(skipped, most, "idle")


def _removed(state: ToppleState, seat: Seat) -> ToppleState:
    alive = (*state.alive[:seat], False, *state.alive[seat + 1 :])
    turn, first = state.turn, state.first
    if turn == seat:
        turn, first = following(alive, seat), False
    return replace(state, alive=alive, turn=turn, first=first, fell=())


def _over_if_one_team_is_left(state: ToppleState) -> ToppleState:
    teams = {state.setup.teams[seat] for seat in state.living()}
    return _over(state, teams.pop(), "alone") if len(teams) == 1 else state


def _over(state: ToppleState, standing: int, ending: Ending) -> ToppleState:
    winner = scoring.best(state.setup.scoring, state.scores, standing)
    return replace(state, turn=None, winner=winner, ending=ending)

"""What clients say at the Acquire door. A message is declared here once: codec, check and documentation in one."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from gamut.doors.messages import any_of
from gamut.games.game import Refused

Id = int | str
"""Of a message: repeated in its answer."""

NamedAction = Literal[
    "StartGame",
    "PlayTile",
    "SelectNewChain",
    "SelectMergerSurvivor",
    "SelectChainToDisposeOfNext",
    "DisposeOfShares",
    "PurchaseShares",
    "GameOver",
]
_PARAMS = {"StartGame": 0, "GameOver": 0, "DisposeOfShares": 2, "PurchaseShares": 2}
"""How many an action has, if not one."""


class FromClient(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="type"):
    id: Id | None = None
    """If there is one, the message is answered."""


class OfGame(FromClient, frozen=True, kw_only=True):
    game_number: int


# Who it is


class Login(FromClient, frozen=True, tag="Login"):
    username: str
    password: str | None = None
    token: str | None = None
    """From an earlier LoginResult, in place of the password."""


class CreateUserAndLogin(FromClient, frozen=True, tag="CreateUserAndLogin"):
    username: str
    password: str


class Logout(FromClient, frozen=True, tag="Logout"):
    pass


# The lobby


class LobbyConnect(FromClient, frozen=True, tag="LobbyConnect"):
    last_event_index: int = 0
    """The last lobby message that is known; 0: none."""


class CreateGame(FromClient, frozen=True, tag="CreateGame"):
    game_mode: int
    time_control_starting_amount: int | None = None
    """In seconds; null: as long as one likes."""
    time_control_increment_amount: int = 0


# A game


class EnterGame(OfGame, frozen=True, tag="EnterGame"):
    game_state_history_size: Annotated[int, msgspec.Meta(ge=0)] = 0
    """How many actions of it are known."""


class ExitGame(OfGame, frozen=True, tag="ExitGame"):
    pass


class SetupAction(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="type"):
    """Something that changes how a game is set up."""


class JoinGame(SetupAction, frozen=True, tag="JoinGame"):
    pass


class UnjoinGame(SetupAction, frozen=True, tag="UnjoinGame"):
    pass


class ApproveOfGameSetup(SetupAction, frozen=True, tag="ApproveOfGameSetup"):
    pass


class HostAction(SetupAction, frozen=True):
    """What only the host may do."""


class ChangeGameMode(HostAction, frozen=True, tag="ChangeGameMode"):
    game_mode: int


class ChangePlayerArrangementMode(HostAction, frozen=True, tag="ChangePlayerArrangementMode"):
    player_arrangement_mode: int


class ChangeTimeControl(HostAction, frozen=True, tag="ChangeTimeControl"):
    starting_amount: int | None
    increment_amount: int


class SwapPositions(HostAction, frozen=True, tag="SwapPositions"):
    position1: int
    position2: int


class KickUser(HostAction, frozen=True, tag="KickUser"):
    user_id: int


class CancelGame(HostAction, frozen=True, tag="CancelGame"):
    pass


class DoGameSetupAction(OfGame, frozen=True, tag="DoGameSetupAction"):
    if TYPE_CHECKING:
        action: SetupAction
    else:
        action: any_of(SetupAction)  # The decoder wants to know them one by one.


class DoGameAction(OfGame, frozen=True, tag="DoGameAction"):
    game_state_history_size: int
    """After so many actions; if there have been more or fewer, nothing is done."""
    action: NamedAction
    params: list[Any]

    def check_params(self) -> None:
        """Raise Refused where these can be no parameters of this action, whatever the game waits for."""
        if len(self.params) != _PARAMS.get(self.action, 1):
            raise Refused("invalid_message", f"{self.action} has other parameters than these.")
        # A float that equals 0 or 1 is not one of them.
        if self.action == "PurchaseShares" and not (
            isinstance(self.params[1], int) and self.params[1] in (0, 1)
        ):
            raise Refused("invalid_message", "Whether the game is to end is said with 0 or 1.")


class Forfeit(OfGame, frozen=True, tag="Forfeit"):
    pass


class SendChatMessage(FromClient, frozen=True, tag="SendChatMessage"):
    game_number: int | None
    """null: in the lobby."""
    message: str


class GetGameReview(OfGame, frozen=True, tag="GetGameReview"):
    pass


FOR_ANYBODY = (Login, CreateUserAndLogin, LobbyConnect, EnterGame, ExitGame)
"""What may be said before a log-in."""
ANSWERED_OTHERWISE = (CreateGame, LobbyConnect)
"""What is answered by those who deal with it: the answer says more, or comes later."""

_LONGEST_REASON = 300
_NOT_READ = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(any_of(FromClient))


class Unreadable(FromClient, frozen=True):
    """No message of this protocol, but it may have an id, so that its sender knows which one it was."""

    reason: str
    is_json: bool


class _Identified(msgspec.Struct):
    id: Id | None = None


_identified = msgspec.json.Decoder(_Identified)
_any_json = msgspec.json.Decoder(msgspec.Raw)


def parsed(data: bytes) -> FromClient:
    """The message in a frame."""
    try:
        return _decoder.decode(data)
    except _NOT_READ as error:
        return Unreadable(id=_id_of(data), reason=str(error)[:_LONGEST_REASON], is_json=_is_json(data))


def _id_of(data: bytes) -> Id | None:
    try:
        return _identified.decode(data).id
    except _NOT_READ:
        return None


def _is_json(data: bytes) -> bool:
    try:
        _any_json.decode(data)
    except _NOT_READ:
        return False
    return True

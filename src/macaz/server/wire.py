"""What goes over the wire, declared once: OpenAPI and the TypeScript types derive from it.

Views, moves and events are those of `game.data`, advice and reviews those of `help.advice`.
Numbers of cities, routes, tickets and colours are those of the edition (`Map`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from macaz.edition import plate
from macaz.edition.board import City, Route, Ticket
from macaz.edition.rules import Rules
from macaz.game.data import GameView, Situation
from macaz.help import reasons
from macaz.help.advice import Advice, Review
from macaz.help.aids import StationAid, TicketAid, TunnelAid
from macaz.help.puzzles import Grade, PuzzleKind
from macaz.kernel.layout import WhyNot

PROTOCOL = 1

Seat = Annotated[int, Meta(ge=0, le=5)]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
LinkId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
LinkSecret = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16,64}$")]
Nonce = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
# The length too: `$` lets a line end follow.
Pledge = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
DealNonce = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Secret = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
Time = Annotated[int, Meta(ge=0, le=2**53 - 1)]  # milliseconds since 1970
Action = Annotated[int, Meta(ge=0, le=2**31 - 1)]
# Outcomes of chance between two decisions: at most a whole deal.
Chances = Annotated[tuple[Annotated[int, Meta(ge=0, le=255)], ...], Meta(max_length=500)]
BotName = Annotated[str, Meta(max_length=64)]
EditionName = Annotated[str, Meta(min_length=1, max_length=120, description="old-west+alvin")]
SeedText = Annotated[str, Meta(max_length=64)]
MOST_LOCAL_ENTRIES = 5000  # of one game: ten times as many as a long one has
# One line that people can read: no control or format characters (which could reorder a text).
Name = Annotated[str, Meta(min_length=1, max_length=24)]
Color = Literal["blue", "red", "green", "yellow", "black", "purple"]
Language = Literal["en", "ro"]  # of the page
Sign = Literal["hello", "well-played", "thanks", "oops", "wow", "hurry", "think", "good-game"]
Status = Literal["waiting", "running", "finished", "closed"]
Reason = Literal["time", "left", "called"]  # why a bot stands in
Absence = Literal["time", "left", "called", "resigned"]  # why a person does not play their seat
Origin = Literal["server", "browser"]  # where a game was played, or begun
Code = Literal[
    "bad-message",  # it cannot be read as a message
    "bad-value",  # it can be read, but a value in it is of no use; the message says which
    "bad-origin",  # it came from another site's page
    "unknown-person",  # no cookie or token, or one that is not ours
    "not-found",  # it does not exist, or is not for you to see
    "not-allowed",  # you may see it, but not do this
    "not-now",  # the table is not in a state for it
    "not-your-turn",  # it is not for this seat to decide
    "illegal",  # the rules do not allow it now
    "stale",  # it answers a question that has passed: look again
    "taken",  # another person or node was first
    "name-taken",  # a name at this table looks the same: choose another
    "too-large",  # a message or a body that is longer than this server reads
    "too-fast",  # retry later
    "too-many",  # tables, sockets, people: a limit of this server
    "storage",  # the database did not answer: it may or may not be done; retry with the same nonce
    "closing",  # this node is going down: connect again
    "failed",  # a bug of the server
]


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message, or a part of one."""


# -- the table -------------------------------------------------------------------------------------


class PersonSeat(Struct, frozen=True, tag_field="kind", tag="person"):
    """A seat for a person: the first who sits down."""


class BotSeat(Struct, frozen=True, tag_field="kind", tag="bot"):
    """A seat that a bot plays."""

    bot: BotName


class NewTable(Struct, frozen=True):
    """The options of a new table, and the seats that its host takes."""

    edition: EditionName
    seats: Annotated[tuple[PersonSeat | BotSeat, ...], Meta(min_length=2, max_length=6)]
    mine: Annotated[tuple[Name, ...], Meta(max_length=6)] | None = None
    """The names of those who play on this screen; by default one, of the maker's own name."""
    mine_seats: Annotated[tuple[Seat, ...], Meta(max_length=6)] | None = None
    """Where they sit, in that order; by default on the first seats for people."""
    listed: bool = False
    """Whether the lobby shows it, and all may sit down or watch; not together with a seed."""
    first: Seat | None = None
    """The seat that begins; by default chance decides."""
    move_seconds: Annotated[int, Meta(ge=5, le=30 * 86_400)] | None = None
    """The time for each decision; by default there is no clock."""
    stand_in: BotName | None = None
    """The bot that plays for those who leave or run out of time; by default the host's choice."""
    delay: Annotated[int, Meta(ge=0, le=3600)] = 0
    """How many seconds spectators are behind."""
    reactions: bool = True
    hints: bool | None = None
    """Whether those who play may ask for advice; by default where one person plays against bots."""
    seed: SeedText | None = None
    """Deal the cards of this seed: for studies only, as the seed reveals every card."""
    pledge: Pledge | None = None
    """Of the nonce that the maker's client adds to the deal, for all seats that the maker takes."""


class SeatInfo(Struct, frozen=True):
    """Who sits where. `bot` plays the seat now; with a `name` of a person it stands in."""

    kind: Literal["person", "bot"]
    name: str | None  # null: the seat is free
    color: Color
    bot: str | None
    reason: Absence | None
    mine: bool
    kept: bool  # free, but only for a player of the game before, in a rematch
    nonce: Literal["none", "pledged", "added", "missing"]  # what it adds to the deal
    shared_with: tuple[int, ...]  # at a listed table: other seats taken from the same address


class TableInfo(Struct, frozen=True):
    """A table as the one who asks may see it."""

    id: TableId
    edition: str
    title: str
    fingerprint: str
    status: Status
    version: Version
    seats: tuple[SeatInfo, ...]
    host: bool  # whether the one who asks made it
    listed: bool
    first: int | None
    move_seconds: int | None
    stand_in: str
    patience: float  # seconds until the others may call a stand-in where there is no clock
    absence: float  # the same for a person who is away: seconds since they went
    delay: int
    reactions: bool
    hints: bool  # whether those who play may ask for advice
    seeded: bool
    origin: Origin  # browser: played or begun there without a server, then sent to this one
    commitment: str
    announcement: str | None  # the terms as published before the first card
    created_at: int
    previous: TableId | None
    rematch: TableId | None
    placed: bool = False
    """Whether it began with a position, in a browser: it counts in no statistics."""


class TableLine(Struct, frozen=True):
    """A table in a list."""

    id: TableId
    edition: str
    title: str
    status: Status
    names: tuple[str | None, ...]  # null: a free seat
    move_seconds: int | None
    created_at: int
    updated_at: int
    origin: Origin
    scores: tuple[int, ...] | None
    winners: tuple[int, ...] | None
    resigned: tuple[int, ...]  # the seats that resigned
    mine: tuple[int, ...]  # the seats of the one who asks
    free: tuple[int, ...]  # the seats that are for the first who comes
    shared: tuple[int, ...]  # of a listed table: the seats taken from one address with another


# -- a game that was played in a browser, without a server -----------------------------------------


class LocalChange(Struct, frozen=True, tag_field="kind"):
    """Something that changed a local table."""


class LocalSat(LocalChange, frozen=True, tag="sat"):
    """A person took a seat."""

    seat: Seat
    name: Name
    color: Color
    pledge: Pledge | None = None


class LocalLeft(LocalChange, frozen=True, tag="left"):
    """A seat became free again, before the game."""

    seat: Seat


class LocalAnnounced(LocalChange, frozen=True, tag="announced"):
    """The terms of the game were announced."""

    text: Annotated[str, Meta(max_length=4000)]


class LocalNonceAdded(LocalChange, frozen=True, tag="nonce-added"):
    """The nonce that was pledged for these seats was told."""

    seats: Annotated[tuple[Seat, ...], Meta(min_length=1, max_length=6)]
    nonce: DealNonce


class LocalDealt(LocalChange, frozen=True, tag="dealt"):
    """The game began."""

    chances: Chances  # the outcomes of chance up to the first decision


class LocalActed(LocalChange, frozen=True, tag="acted"):
    """A seat decided."""

    seat: Seat
    action: Action
    chances: Chances = ()  # the outcomes of chance that followed, up to the next decision
    bot: BotName = ""  # the bot that decided; empty: the person


class LocalStoodIn(LocalChange, frozen=True, tag="stood-in"):
    """A bot plays for the person of a seat, until they come back."""

    seat: Seat
    bot: BotName
    reason: Reason


class LocalCameBack(LocalChange, frozen=True, tag="came-back"):
    """The person of a seat plays it again."""

    seat: Seat


class LocalTakenBack(LocalChange, frozen=True, tag="taken-back"):
    """The last decisions were taken back: one of this seat, and the answers of bots to it."""

    seat: Seat
    version: Version  # of the first of them
    decisions: Annotated[int, Meta(ge=1, le=MOST_LOCAL_ENTRIES)]


class LocalResigned(LocalChange, frozen=True, tag="resigned"):
    """The person of a seat resigned: a bot plays it from now on, or the game ended."""

    seat: Seat
    bot: BotName
    ends: bool


LocalEntry = (
    LocalSat
    | LocalLeft
    | LocalAnnounced
    | LocalNonceAdded
    | LocalDealt
    | LocalActed
    | LocalStoodIn
    | LocalCameBack
    | LocalTakenBack
    | LocalResigned
)


class LocalLine(Struct, frozen=True):
    """One entry of the log of a local table."""

    at: Time
    entry: LocalEntry


class LocalGame(Struct, frozen=True):
    """A game that was played or begun in a browser, to be kept at this server.

    Its log is that of the local table, from the first entry to the last.
    """

    edition: EditionName
    fingerprint: Annotated[str, Meta(pattern="^[0-9a-f]{16}$", max_length=16)]
    seats: Annotated[tuple[PersonSeat | BotSeat, ...], Meta(min_length=2, max_length=6)]
    log: Annotated[tuple[LocalLine, ...], Meta(min_length=1, max_length=MOST_LOCAL_ENTRIES)]
    secret: Secret | None = None
    """What the cards were dealt from; null at a table with a seed."""
    seed: SeedText | None = None
    first: Seat | None = None
    """The seat that begins; by default chance decided."""
    stand_in: BotName | None = None
    reactions: bool = True
    hints: bool | None = None


GameEntry = LocalDealt | LocalActed | LocalTakenBack | LocalResigned


class LoggedStep(Struct, frozen=True):
    """An entry of the log of a table that is a part of its game."""

    version: Version
    step: Any  # a `GameEntry`


class GameLog(Struct, frozen=True):
    """A finished game as its actions, to be replayed by the kernel."""

    edition: str
    fingerprint: str
    seats: int
    first: Seat | None
    """The seat that begins; null: chance decided."""
    log: tuple[LoggedStep, ...]


class TableList(Struct, frozen=True):
    """A page of tables, newest first; `next` is the `before` of the following page."""

    tables: tuple[TableLine, ...]
    next: str | None


class Sit(Struct, frozen=True):
    """Sit down: on a given seat, or on the next free one."""

    seat: Seat | None = None
    name: Name | None = None
    pledge: Pledge | None = None


class QuickPlay(Struct, frozen=True):
    """Play with any other people: at an open table with a free seat, or at a new one."""

    edition: EditionName
    """The map that is preferred, and that of a new table."""
    pledge: Pledge | None = None


class TakeBack(Struct, frozen=True):
    """Take a decision back, or ask the others to agree."""

    version: Version  # of the decision


class TakebackAnswer(Struct, frozen=True):
    """Agree that another player takes a decision back, or do not."""

    version: Version  # of the decision
    accept: bool


class PlayAgain(Struct, frozen=True):
    """What a rematch may be asked for with."""

    pledge: Pledge | None = None


class NewLink(Struct, frozen=True):
    """A link to give away: to join on any free seat, to one seat (once), or to watch."""

    kind: Literal["join", "seat", "watch"]
    seat: Seat | None = None


class QrCode(Struct, frozen=True):
    """A QR code as an SVG path: its dark modules, as lines of the width 1."""

    size: int  # modules in a row, without the light ones around it
    path: str


class Address(Struct, frozen=True):
    """Where others open this page."""

    url: str
    qr: QrCode
    lan: bool  # whether this server is open to the network around it: `macaz play --lan`


class LinkInfo(Struct, frozen=True):
    """A link. Its address is told once, when it is made."""

    id: LinkId
    kind: Literal["join", "seat", "watch"]
    seat: int | None
    created_at: int
    used: bool
    revoked: bool
    url: str | None = None
    qr: QrCode | None = None  # of the address


class OpenLink(Struct, frozen=True):
    """The secret part of a link: what stands behind the # of its address."""

    token: LinkSecret
    name: Name | None = None
    pledge: Pledge | None = None
    watch: bool = False
    """Only watch, though the link leads to a seat: one to join may have come too late."""


class LookAtLink(Struct, frozen=True):
    """The secret part of a link, to be told where it leads."""

    token: LinkSecret


class Invitation(Struct, frozen=True):
    """What a link leads to, as the one who holds it may know it before opening it."""

    kind: Literal["join", "seat", "watch"]
    seat: int | None  # of a link to one
    by: str | None  # the name of the person who made the link; null: forgotten since
    edition: str
    title: str
    status: Status
    seats: tuple[SeatInfo, ...]
    move_seconds: int | None
    delay: int
    hints: bool
    seeded: bool
    may_sit: bool  # whether opening the link gives you a seat, or you have one
    may_watch: bool  # whether it lets you watch


class Opened(Struct, frozen=True):
    """Where a link led: a table, and the seat that is yours now (null: you watch)."""

    table: TableId
    seat: int | None


class Profile(Struct, frozen=True):
    """The new name and colour of a person."""

    name: Name
    color: Color


class NewPerson(Struct, frozen=True):
    """Create a person. A program asks for a `token` by its label; a browser gets a cookie."""

    name: Name
    color: Color = "blue"
    token: Annotated[str, Meta(min_length=1, max_length=60)] | None = None


class Me(Struct, frozen=True):
    """Who the cookie or the token says you are."""

    name: str
    color: Color
    created_at: int
    token: str | None = None  # the one that a new person asked for, sent once


class Whoami(Struct, frozen=True):
    """Who asks, if the server knows them: for pages, to whom a stranger is no error."""

    me: Me | None


class Results(Struct, frozen=True):
    """A person's results in some games; averages and the best are null without any.

    A game in which they resigned is a loss.
    """

    games: int
    wins: int  # shared ones included
    resigned: int  # games in which they resigned
    played_out: int  # games that they played to the end: all that follows is of these
    average_score: float | None
    best_score: int | None
    average_margin: float | None  # how far ahead of the best of the others, or behind
    tickets: int  # kept until the end
    tickets_completed: int
    longest_paths: int  # how often they had the bonus for it


class EditionResults(Struct, frozen=True):
    """A person's results at one edition, with so many at the table."""

    edition: str
    title: str
    seats: int
    results: Results


class PlayedGame(Struct, frozen=True):
    """A finished game of a person. All lists are by seat."""

    table: TableId
    edition: str
    title: str
    origin: Origin
    finished_at: int
    names: tuple[str | None, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    seat: int  # theirs
    place: int  # 1 for a winner
    resigned: tuple[int, ...]  # the seats that resigned


class Statistics(Struct, frozen=True):
    """All finished games of a person, and the latest of them, newest first."""

    total: Results
    editions: tuple[EditionResults, ...]
    latest: tuple[PlayedGame, ...]


class NewToken(Struct, frozen=True):
    """A token for a program that acts as you."""

    label: Annotated[str, Meta(min_length=1, max_length=60)]


class TokenInfo(Struct, frozen=True):
    """A token. Its secret is told once, when it is made."""

    id: LinkId
    label: str
    created_at: int
    used_at: int | None
    revoked: bool
    secret: str | None = None
    present: bool = False  # whether it is the one that asks


class SessionInfo(Struct, frozen=True):
    """A browser in which you are signed in."""

    id: LinkId
    label: str  # the browser and the system, as in "Firefox, Linux"; empty: not known
    created_at: int
    used_at: int  # to the hour
    present: bool  # whether it is the one that asks
    push_service: str | None = None  # where notices of turns are sent to; null: to none


class PushOffer(Struct, frozen=True):
    """Whether the server can send notices while the page is closed."""

    key: str | None  # the `applicationServerKey` for `PushManager.subscribe`; null: it cannot


class NewSubscription(Struct, frozen=True):
    """Where this browser takes notices, as `PushSubscription.toJSON` tells it."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1024)]
    p256dh: Annotated[str, Meta(pattern="^[A-Za-z0-9_=-]{1,120}$")]
    auth: Annotated[str, Meta(pattern="^[A-Za-z0-9_=-]{1,40}$")]
    language: Language = "en"


NoticeKind = Literal[
    "turn",  # it is your turn
    "began",  # the game has begun, and you choose your tickets
    "soon",  # your time is nearly over
    "over",  # the game has ended
    "closed",  # the table was closed
]


class Notice(Struct, frozen=True):
    """What a service worker is told through Web Push. It has nothing that is secret in the game."""

    kind: NoticeKind
    table: TableId
    edition: str
    title: str
    names: tuple[str, ...]  # of the others at the table
    language: Language


class WaitingTable(Struct, frozen=True):
    """A table at which it is your turn."""

    table: TableLine
    deadline: int | None  # when your time runs out


class SignOut(Struct, frozen=True):
    """Sign out everywhere: end all sessions, revoke all tokens."""

    keep_present: bool = True  # whether the session or token that asks goes on


class BotInfo(Struct, frozen=True):
    """A bot to play against."""

    name: str
    character: str
    learned: bool  # whether it plays with what it learned about a board, and searches elsewhere


class OptionInfo(Struct, frozen=True):
    """An option of an edition."""

    name: str
    doc: str


class EditionLine(Struct, frozen=True):
    """An edition in a list."""

    id: str
    name: str
    min_seats: int
    max_seats: int
    options: tuple[OptionInfo, ...]
    learned: bool  # whether the bots that learn know its board
    author: str  # "" if its file names none
    sentences: dict[str, str]  # a sentence about it, by language; {} if its file has none


class Map(Struct, frozen=True):
    """An edition with its options: all that a page needs to show it."""

    id: str
    title: str
    fingerprint: str
    cards: tuple[str, ...]  # the names of the nine kinds of cards, in the order of their numbers
    cities: tuple[City, ...]
    routes: tuple[Route, ...]
    tickets: tuple[Ticket, ...]
    rules: Rules


Plate = plate.Plate  # how a map is drawn


class MapFile(Struct, frozen=True):
    """A map and its drawing, as a file for tables in a browser."""

    map: Map
    plate: Plate


class NetworkFile(Struct, frozen=True):
    """A network for bots in a browser."""

    file: str
    bytes: int


class PuzzleMove(Struct, frozen=True):
    """A move of a puzzle, as many tries found it."""

    action: int
    chance: float  # of winning: that of the best move less `loss`
    error: float  # its standard error
    loss: float  # chance less than that of the best move
    doubt: float  # standard error of the loss
    margin: float  # points ahead of the best other seat at the end, on average
    tries: int


class Puzzle(Struct, frozen=True):
    """A position in which one move is clearly the best, for a table in a browser."""

    id: str
    edition: str  # with its options
    fingerprint: str
    seats: int
    seat: int  # that is to decide
    view: str  # what it knows: the kernel's record, in base64
    kind: PuzzleKind  # what the best move is about
    grade: Grade
    found: tuple[str, ...]  # the bots that make the right move
    answers: tuple[int, ...]  # the right move, the best way to pay for it first
    moves: tuple[PuzzleMove, ...]  # the best first; others cost as much as those that do the same
    reasons: tuple[reasons.Reason, ...]  # why it is better than the best other move


class PuzzleList(Struct, frozen=True):
    """The puzzles of all editions that have some."""

    bots: dict[str, tuple[str, ...]]  # by the edition's id: those that tried to solve its puzzles
    puzzles: tuple[Puzzle, ...]


class DataIndex(Struct, frozen=True):
    """The files for tables in a browser, named relative to `data/`; editions are qualified ids."""

    editions: tuple[EditionLine, ...]  # those that are offered
    bots: tuple[BotInfo, ...]  # those that can play in a browser
    sources: str  # a digest of the kernel's sources: the decoders of a page fit one kernel
    kernel: str  # the rules and the players, as a WebAssembly module
    maps: dict[str, str]  # by edition: a `MapFile`
    tables: dict[str, dict[str, str]]  # by edition and number of seats: the compiled rules
    networks: dict[str, NetworkFile]  # by edition, if there is one for its board
    puzzles: str  # a `PuzzleList`


class Aids(Struct, frozen=True):
    """What a seat can work out from what it sees, worked out: nothing here is new to it."""

    version: Version  # of the table, which this is true for
    seat: int
    tickets: tuple[TicketAid, ...]  # those held, then those offered
    stations: tuple[StationAid, ...]  # where one may be built now and would complete a ticket
    tunnels: tuple[TunnelAid, ...]  # by colour, if a tunnel can be tried with it now
    routes: tuple[WhyNot, ...]  # by number: why it cannot be claimed now; empty if it can
    cities: tuple[WhyNot, ...]  # likewise: to build there, to begin there, to send Alvin there


class Hint(Struct, frozen=True):
    """Advice to a seat."""

    version: Version  # of the table, which this is true for
    advice: Advice


class PackedView(Struct, frozen=True):
    """What a seat knows, as the kernel of a browser takes it, to analyse it there."""

    version: Version  # of the table, which this was true at
    seat: int
    record: str  # the kernel's record "view", base64
    sources: str  # a digest of the kernel's sources: the decoders of a page fit one kernel


class Reviewing(Struct, frozen=True):
    """What is ready of a review; ask again until it is complete.

    It is worked out only while it is asked for.
    """

    done: int  # decisions that were looked at, from the first
    total: int  # of so many; 0 while that is not known
    skipped: tuple[int, ...]  # plies of those that took too long, and were not judged
    complete: bool
    versions: tuple[Version, ...]  # by ply: the entry of the log that told the decision
    review: Review | None
    """While it is not complete: of about as many decisions as were looked at, and the curve only of
    these. Judged are the decisions of people, or all of them if only bots played."""


class Problem(Struct, frozen=True):
    """Why something was refused: a code for programs, a sentence for people."""

    code: Code
    message: str
    request: str | None = None  # what the server's log calls this request
    name: str | None = None  # with `name-taken`: the name at the table that looks the same


# -- the socket: what a client sends ---------------------------------------------------------------


class Said(Struct, frozen=True, tag_field="type"):
    """A message of a client."""


class Hello(Said, frozen=True, tag="hello"):
    """Watch a table, with the eyes of one of your seats or as a spectator (null).

    With `after`, everything after that version follows exactly; without it, a whole view.
    """

    table: TableId
    seat: Seat | None = None
    after: Version | None = None
    protocol: int = PROTOCOL
    presence: bool = False
    """Whether to tell who is at the table, and when that changes."""


class Look(Said, frozen=True, tag="look"):
    """Send the whole view again."""


class Act(Said, frozen=True, tag="act"):
    """Decide, for the seat of this connection. The same nonce twice is done once."""

    action: Action
    version: Version
    nonce: Nonce


class AddNonce(Said, frozen=True, tag="add-nonce"):
    """Tell the nonce that you pledged for the deal, once the terms are announced.

    It counts for all your seats that pledged it. The `nonce-added` event confirms it.
    """

    nonce: DealNonce


class React(Said, frozen=True, tag="react"):
    """Show the table a sign."""

    sign: Sign


class Mute(Said, frozen=True, tag="mute"):
    """See no more signs of a seat, or see them again."""

    seat: Seat
    muted: bool = True


class Visible(Said, frozen=True, tag="visible"):
    """Whether the page can be seen. While it cannot, you are told of your turn in other ways."""

    visible: bool


class Ping(Said, frozen=True, tag="ping"):
    """Are you there?"""


ClientMessage = Hello | Look | Act | AddNonce | React | Mute | Visible | Ping


# -- the socket: what the server sends -------------------------------------------------------------


class SatDown(Struct, frozen=True, tag_field="type", tag="sat-down"):
    """A person sat down, or the seat moved over to another device."""

    seat: int
    name: str
    color: Color


class GotUp(Struct, frozen=True, tag_field="type", tag="got-up"):
    """A seat became free before the game."""

    seat: int


class BotStoodIn(Struct, frozen=True, tag_field="type", tag="bot-stood-in"):
    """A bot plays for a person."""

    seat: int
    bot: str
    reason: Reason


class PersonCameBack(Struct, frozen=True, tag_field="type", tag="person-came-back"):
    """A person plays their seat again."""

    seat: int


class TermsAnnounced(Struct, frozen=True, tag_field="type", tag="terms-announced"):
    """The terms of the game were published; after it, `macaz verify` holds the server to them."""

    text: str


class NonceAdded(Struct, frozen=True, tag_field="type", tag="nonce-added"):
    """A person told the nonce that these seats pledged; it is in the record after the game."""

    seats: tuple[int, ...]


class TakebackAsked(Struct, frozen=True, tag_field="type", tag="takeback-asked"):
    """A person asks to take their last decision back. It lapses when a person decides."""

    seat: int


class TakebackAccepted(Struct, frozen=True, tag_field="type", tag="takeback-accepted"):
    """A person agrees; others are still asked."""

    seat: int


class TakebackRefused(Struct, frozen=True, tag_field="type", tag="takeback-refused"):
    """A person does not agree that the decision is taken back: it stays."""

    seat: int


class TakenBack(Struct, frozen=True, tag_field="type", tag="taken-back"):
    """A decision was taken back, with the answers of bots to it; the update has the whole view."""

    seat: int
    version: Version  # of the first of them
    decisions: int  # how many, answers included


class PlayerResigned(Struct, frozen=True, tag_field="type", tag="player-resigned"):
    """A person resigned: a bot plays the seat to the end, or the game ended."""

    seat: int
    bot: str
    ends: bool


class TableClosed(Struct, frozen=True, tag_field="type", tag="table-closed"):
    """The table was closed before its end."""


TABLE_EVENTS = (
    SatDown,
    GotUp,
    BotStoodIn,
    PersonCameBack,
    TermsAnnounced,
    NonceAdded,
    TakebackAsked,
    TakebackAccepted,
    TakebackRefused,
    TakenBack,
    PlayerResigned,
    TableClosed,
)


class Takeback(Struct, frozen=True):
    """A decision that its player can take back now.

    It is done at once if `waiting` is empty; otherwise the people of those seats must agree.
    """

    seat: int
    version: Version  # of the decision
    decisions: int  # how many are taken back: this one, and the answers of bots to it
    asked: bool  # whether its player has asked for it
    waiting: tuple[int, ...]


class Sent(Struct, frozen=True, tag_field="type"):
    """A message of the server."""


class Welcome(Sent, frozen=True, tag="welcome"):
    """The answer to `hello` and `look`. `view` is null before the game, and when all that was
    missed follows as updates instead.
    """

    protocol: int
    table: TableInfo
    seat: int | None
    version: Version
    view: GameView | None
    deciding: tuple[int, ...]
    deadlines: tuple[int | None, ...]
    legal: tuple[Any, ...]
    takeback: Takeback | None
    now: int  # the server's time in milliseconds, as all times here


class Update(Sent, frozen=True, tag="update"):
    """One entry of the table's log: what happened, and what you may do now.

    Every watcher gets every version once, in order: 8 is followed by 9.
    """

    version: Version
    at: int
    by: str | None  # the bot that decided, if one did
    events: tuple[Any, ...]
    situation: Situation | None  # null before the game
    deciding: tuple[int, ...]
    deadlines: tuple[int | None, ...]
    legal: tuple[Any, ...]
    takeback: Takeback | None
    view: GameView | None  # the whole view, only after decisions were taken back


class Done(Sent, frozen=True, tag="done"):
    """Your action was committed, as this version."""

    nonce: str
    version: Version


class Refused(Sent, frozen=True, tag="refused"):
    """Your message was not obeyed."""

    code: Code
    message: str
    nonce: str | None = None
    reason: WhyNot = ""  # with `illegal`: the rule that forbids it


class Reaction(Sent, frozen=True, tag="reaction"):
    """A player showed a sign. It has no version: nothing is missing if it is lost."""

    seat: int
    sign: Sign


class Rematch(Sent, frozen=True, tag="rematch"):
    """A player wants to play again, at another table where your seat is kept."""

    table: TableId


class SeatPresence(Struct, frozen=True):
    """Whether the person of a seat has the table open."""

    here: bool
    since: int | None = None  # when they went; null: they are here, or it is not known


class Presence(Sent, frozen=True, tag="presence"):
    """Who is at the table. It has no version: the last one holds."""

    seats: tuple[SeatPresence | None, ...]  # null: not a person's, or not for you to know yet
    watching: tuple[str, ...]  # the names of people without a seat who watch, at most 20
    more: int  # how many more watch


class Pong(Sent, frozen=True, tag="pong"):
    """I am here."""

    now: int


ServerMessage = Welcome | Update | Done | Refused | Reaction | Rematch | Presence | Pong


class Updates(Struct, frozen=True):
    """A part of a table's log."""

    updates: tuple[Update, ...]
    version: Version  # of the table now


class Moment(Struct, frozen=True):
    """A game as it was after an entry of its log."""

    version: Version
    view: GameView | None
    deciding: tuple[int, ...]


_encoder = msgspec.json.Encoder()


def encode(message: object) -> bytes:
    """A message as JSON."""
    return _encoder.encode(message)


@lru_cache(maxsize=1)
def client_decoder() -> msgspec.json.Decoder[ClientMessage]:
    """Reads what clients send."""
    return msgspec.json.Decoder(ClientMessage)

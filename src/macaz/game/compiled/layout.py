"""The records of positions that are set up: a draft, and what is wrong with it."""

from __future__ import annotations

from typing import Literal, get_args

from macaz.kernel.layout import SEATS, VIEW, Field, dtype_from

# A draft is a view, or a whole state if it is `open`. These fields are -1 where they follow from
# the rest: after, turn, drawn, refreshed, deck_size, stock, captured, alvin_city, all of `trains`,
# `score` and `known`, and the first card of `deck` and `pool`; in a whole state `ticket`, too.
DRAFT: tuple[Field, ...] = (
    *VIEW,
    Field("mark_count", "i1", (SEATS,), "stations or markers that a seat is said to have"),
    Field("open", "i1", (), "1: nothing is hidden"),
    Field("laid", "i1", (), "1: cards are laid for the tunnel, as `paid_color` and `paid_locos`"),
    Field("told_extra", "i1", (), "extra cards that the tunnel is said to cost; -1: not said"),
)

# Something that is impossible. A number that a kind of problem does not use is -1.
PROBLEM: tuple[Field, ...] = (
    Field("code", "i2", (), "what is wrong; 0: nothing more"),
    Field("seat", "i2", (), "seat that it is about"),
    Field("other", "i2", (), "another seat"),
    Field("lane", "i2", (), "lane of a route"),
    Field("beside", "i2", (), "the lane beside it that closes it, or the same"),
    Field("city", "i2", (), "city"),
    Field("place", "i2", (), "which of a seat's stations or markers it is"),
    Field("ticket", "i2", (), "ticket"),
    Field("color", "i2", (), "kind of card"),
    Field("have", "i2", (), "the number that is there"),
    Field("want", "i2", (), "the number that should be there, or the least"),
    Field("most", "i2", (), "the most there can be"),
)

dtypes = {"draft": dtype_from(DRAFT), "problem": dtype_from(PROBLEM)}
MOST_PROBLEMS = 256

# Parts of a position. A check is skipped if a part that it needs could not be read.
CARD_PART = 1
ROUTE_PART = 2
MARK_PART = 4
TICKET_PART = 8
PHASE_PART = 16

# What can be wrong, by number.
AFTER_IMPOSSIBLE = 1
NO_SUCH_PHASE = 2
TURN_NOT_FIRST = 3
FIRST_MISSING = 4
FIRST_EARLY = 5
DRAWN_WRONG = 6
PASSES_EARLY = 7
ALL_PASSED = 8
LAST_EARLY = 9
NOT_OVER = 10
LAST_WITH_TRAINS = 11
LAST_MISSING = 12
CARD_COUNT = 13
UNSEEN_COUNT = 14
POOL_COLOR = 15
POOL_SMALL = 16
SEEN_MANY = 17
SEEN_COLOR = 18
ROW_LONG = 19
ROW_EARLY = 20
DISCARDS_EARLY = 21
NOT_SHUFFLED = 22
ROW_FULL = 23
ROW_SHORT = 24
DECK_USED_UP = 25
NO_SECOND_CARD = 26
REFRESHED_WRONG = 27
HANDS_DEALT = 28
HAND_IN_SETUP = 29
SEEN_IN_SETUP = 30
ROUTE_TWICE = 31
BOTH_LANES = 32
SECOND_LANE = 33
TRAINS_EXCEEDED = 34
TRAINS_WRONG = 35
SCORE_WRONG = 36
ROUTES_EARLY = 37
SCORE_EARLY = 38
CLAIM_MISSING = 39
CLAIM_NOW = 40
NOT_CLAIMED = 41
NO_TUNNEL = 42
CLAIM_CLOSED = 43
CLAIM_TRAINS = 44
CLAIM_APART = 45
NOTHING_LAID = 46
LAID_MISSING = 47
LAID_WRONG = 48
REVEALED_MANY = 49
REVEALED_ALL = 50
REVEALED_FEW = 51
EXTRA_WRONG = 52
EXTRA_NONE = 53
MARKS_MANY = 54
CITY_MARKED = 55
CITY_OF_ALVIN = 56
MARKS_IN_SETUP = 57
START_MISSING = 58
ROUTE_APART = 59
MARK_APART = 60
NO_MARKER_LEFT = 61
ENDS_MARKED = 62
NO_ALVIN = 63
ALVIN_WAITING = 64
ALVIN_OF_OTHER = 65
ALVIN_ELSEWHERE = 66
ALVIN_NOT_CAPTURED = 67
ALVIN_AWAY = 68
ALVIN_UNCONTROLLED = 69
TICKET_COUNT = 70
LONG_IN_DECK = 71
LONG_DECK_NOW = 72
NOT_IN_BOX = 73
NO_BUNDLE = 74
UNDER_EARLY = 75
LONG_UNDER = 76
LONG_OFFERED = 77
LONG_MANY = 78
OFFERS_MISSING = 79
TICKETS_DEALT = 80
KEPT_IN_SETUP = 81
HELD_IN_SETUP = 82
OFFER_IN_SETUP = 83
RETURNED_IN_SETUP = 84
LONG_IN_SETUP = 85
OFFER_NOW = 86
RETURNED_NOW = 87
OFFER_SIZE = 88
OFFER_COMPLETE = 89
NEXT_IS_KNOWN = 90
ORDER_NOT_CHOSEN = 91
RETURN_SIZE = 92
KNOWN_IN_DECK = 93
OWNER_MUST_KNOW = 94
UNDER_GAP = 95
UNDER_TWICE = 96
ProblemName = Literal[
    "",
    "after-impossible",
    "no-such-phase",
    "turn-not-first",
    "first-missing",
    "first-early",
    "drawn-wrong",
    "passes-early",
    "all-passed",
    "last-early",
    "not-over",
    "last-with-trains",
    "last-missing",
    "card-count",
    "unseen-count",
    "pool-color",
    "pool-small",
    "seen-many",
    "seen-color",
    "row-long",
    "row-early",
    "discards-early",
    "not-shuffled",
    "row-full",
    "row-short",
    "deck-used-up",
    "no-second-card",
    "refreshed-wrong",
    "hands-dealt",
    "hand-in-setup",
    "seen-in-setup",
    "route-twice",
    "both-lanes",
    "second-lane",
    "trains-exceeded",
    "trains-wrong",
    "score-wrong",
    "routes-early",
    "score-early",
    "claim-missing",
    "claim-now",
    "not-claimed",
    "no-tunnel",
    "claim-closed",
    "claim-trains",
    "claim-apart",
    "nothing-laid",
    "laid-missing",
    "laid-wrong",
    "revealed-many",
    "revealed-all",
    "revealed-few",
    "extra-wrong",
    "extra-none",
    "marks-many",
    "city-marked",
    "city-of-alvin",
    "marks-in-setup",
    "start-missing",
    "route-apart",
    "mark-apart",
    "no-marker-left",
    "ends-marked",
    "no-alvin",
    "alvin-waiting",
    "alvin-of-other",
    "alvin-elsewhere",
    "alvin-not-captured",
    "alvin-away",
    "alvin-uncontrolled",
    "ticket-count",
    "long-in-deck",
    "long-deck-now",
    "not-in-box",
    "no-bundle",
    "under-early",
    "long-under",
    "long-offered",
    "long-many",
    "offers-missing",
    "tickets-dealt",
    "kept-in-setup",
    "held-in-setup",
    "offer-in-setup",
    "returned-in-setup",
    "long-in-setup",
    "offer-now",
    "returned-now",
    "offer-size",
    "offer-complete",
    "next-is-known",
    "order-not-chosen",
    "return-size",
    "known-in-deck",
    "owner-must-know",
    "under-gap",
    "under-twice",
]
PROBLEM_NAMES: tuple[ProblemName, ...] = get_args(ProblemName)  # by number

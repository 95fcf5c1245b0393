"""Tell whether a bot that blocks reads its opponent, or only likes the lanes that many need.

    python tools/behaviour blocking cup --bots learned,planner

Of the claims that the first bot did not need itself, in its games at two seats against the second:
how often they took what the opponent needed, times chance among lanes as long, as the command
`figures` tells it; and the same if the opponent had needed what it needed in other games at about
that turn. Whoever looks at nobody has the same in both. Intervals of 95 % by resampling deals.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from facts import GameFacts, facts_of, payable_lanes
from figures import resampled
from macaz.edition import load_edition
from macaz.errors import MacazError
from macaz.game import Game
from macaz.game.record import load_record
from macaz.kernel import layout as at
from macaz.lab.arena.store import read_games, read_settings
from needs import needs_of

NEAR = 4  # turns by which a moment of another game may be earlier or later
OTHERS = 20  # such moments for each claim
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Spare:
    """A claim that the bot did not need, beside all that it could have claimed in its place."""

    deal: int
    turn: int
    lane: int
    alike: tuple[int, ...]  # as long, payable, not needed either; the lane itself among them
    shut: frozenset[int]  # of these, where nobody could lay any more
    needed: frozenset[int]  # by the opponent

    def hit(self, needed: frozenset[int]) -> float:
        """1 if the claim took what an opponent with these needs had needed."""
        return float(self.lane in needed & self.shut)

    def chance(self, needed: frozenset[int]) -> float:
        """How often that would have been among the lanes as long."""
        return len(needed & self.shut) / len(self.alike)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked for."""
    parser.add_argument("folder", type=Path, help="of a tournament at two seats")
    parser.add_argument("--bots", default="learned,planner", help="who blocks, and whom")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn at random")


def run(asked: argparse.Namespace) -> None:
    """Print both figures."""
    bots = tuple(asked.bots.split(","))
    edition = load_edition(read_settings(asked.folder).edition)
    found: list[Spare] = []
    for result in read_games(asked.folder):
        if sorted(result.lineup) == sorted(bots) and not any(result.failures):
            game = load_record(result.record, edition=edition)
            found += spare_claims(game, facts_of(game), result.lineup.index(bots[0]), result.deal)
    if not found:
        raise MacazError(f"{asked.folder} has no games of {' and '.join(bots)} at two seats.")
    rng = np.random.default_rng(asked.seed)
    own = np.array([(one.hit(one.needed), one.chance(one.needed)) for one in found])
    other = np.array([elsewhere(one, found, rng) for one in found])
    print(f"{len(found):,} claims that {bots[0]} did not need")
    print(f"  took what {bots[1]} needed: {times(found, own, rng)} times chance, as long")
    print(f"  what it needed in other games: {times(found, other, rng)}")
    print(f"  the first over the second: {times(found, np.hstack((own, other)), rng)}")


def spare_claims(game: Game, facts: GameFacts, seat: int, deal: int) -> list[Spare]:
    """The claims of a seat that its own plan did not have."""
    needs, found = needs_of(game.spec), []
    lengths = game.spec.table[0]["lane_length"]
    turn_of = np.cumsum(
        [s.seat is not None and s.state["phase"][0] == at.TURN for s in game.history]
    )
    for claim in facts.claims:
        if claim.seat != seat or claim.needed:
            continue
        states = game.history[claim.step].state
        spare = payable_lanes(game, states, seat) - needs.pairs(needs.plan(states, seat))
        alike = tuple(sorted(lane for lane in spare if lengths[lane] == claim.length))
        found.append(
            Spare(
                deal=deal,
                turn=int(turn_of[claim.step]),
                lane=game.spec.lane_of_route[claim.route],
                alike=alike,
                shut=frozenset(lane for lane in alike if needs.shut(states, seat, lane)),
                needed=needs.pairs(needs.plan(states, 1 - seat)),
            )
        )
    return found


def elsewhere(one: Spare, found: list[Spare], rng: np.random.Generator) -> tuple[float, float]:
    """The same of a claim, had the opponent needed what it needed in games of other deals."""
    near = [x for x in found if x.deal != one.deal and abs(x.turn - one.turn) <= NEAR]
    drawn = [near[i].needed for i in rng.integers(len(near), size=OTHERS)] if near else []
    if not drawn:
        return 0.0, 0.0
    return (
        sum(one.hit(needed) for needed in drawn) / len(drawn),
        sum(one.chance(needed) for needed in drawn) / len(drawn),
    )


def times(found: list[Spare], pairs: np.ndarray, rng: np.random.Generator) -> str:
    """A quotient with its interval; of two pairs of columns, the quotient of both quotients."""
    deals = sorted({one.deal for one in found})
    sums = np.zeros((len(deals), pairs.shape[1]))
    np.add.at(sums, np.searchsorted(deals, [one.deal for one in found]), pairs)
    low, high = np.nanquantile(_quotient(resampled(sums, RESAMPLES, rng)), (0.025, 0.975))
    return f"{_quotient(sums.sum(axis=0)):.2f} ({low:.2f}–{high:.2f})"


def _quotient(sums: np.ndarray) -> np.ndarray:
    """Not a number where nothing was to be had by chance, as in a few deals it may be."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value: np.ndarray = sums[..., 0] / sums[..., 1]
        return value if sums.shape[-1] == 2 else value / (sums[..., 2] / sums[..., 3])

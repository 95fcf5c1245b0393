"""Test whether a bot blocks this opponent on purpose, or only prefers lanes that many players need.

    python tools/behaviour blocking cup --bots learned,planner

Only claims count that the first bot did not need itself, in its games at two seats against the
second. The first ratio says how often they took a lane that the opponent needed, divided by how
often a random lane of the same length would have (as in the command `figures`). The second ratio is
the same, but with the needs of the opponent replaced by those from other games at about the same
turn. A bot that ignores its opponent has the same ratio in both. The 95 % intervals are by
bootstrap over deals.
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

NEAR = 4  # turns: how much earlier or later the moment of another game may be
OTHERS = 20  # moments of other games that are drawn for each claim
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class Spare:
    """A claim that the bot did not need, and the lanes that it could have claimed instead."""

    deal: int
    turn: int
    lane: int
    alike: tuple[int, ...]  # lanes of that length that it could pay and did not need; also `lane`
    shut: frozenset[int]  # those of `alike` that leave no parallel lane to the opponent
    needed: frozenset[int]  # the lanes that the opponent needed

    def hit(self, needed: frozenset[int]) -> float:
        """1 if the claim took a lane from an opponent with these needs, else 0."""
        return float(self.lane in needed & self.shut)

    def chance(self, needed: frozenset[int]) -> float:
        """The share of `alike` that would have taken a lane from an opponent with these needs."""
        return len(needed & self.shut) / len(self.alike)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("folder", type=Path, help="folder of a tournament at two seats")
    parser.add_argument(
        "--bots", default="learned,planner", help="the bot that blocks, and its opponent"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed of the random draws")


def run(args: argparse.Namespace) -> None:
    """Print both ratios, and the ratio of the two."""
    bots = tuple(args.bots.split(","))
    edition = load_edition(read_settings(args.folder).edition)
    found: list[Spare] = []
    for result in read_games(args.folder):
        if sorted(result.lineup) == sorted(bots) and not any(result.failures):
            game = load_record(result.record, edition=edition)
            found += spare_claims(game, facts_of(game), result.lineup.index(bots[0]), result.deal)
    if not found:
        raise MacazError(f"{args.folder} has no games of {' and '.join(bots)} at two seats.")
    rng = np.random.default_rng(args.seed)
    own = np.array([(one.hit(one.needed), one.chance(one.needed)) for one in found])
    other = np.array([elsewhere(one, found, rng) for one in found])
    print(f"{len(found):,} claims that {bots[0]} did not need")
    print(f"  took what {bots[1]} needed: {times(found, own, rng)} times chance, as long")
    print(f"  what it needed in other games: {times(found, other, rng)}")
    print(f"  the first over the second: {times(found, np.hstack((own, other)), rng)}")


def spare_claims(game: Game, facts: GameFacts, seat: int, deal: int) -> list[Spare]:
    """The claims of a seat that were not in its own plan."""
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
    """The mean `hit` and `chance` of a claim, with the opponent's needs from other deals."""
    near = [x for x in found if x.deal != one.deal and abs(x.turn - one.turn) <= NEAR]
    drawn = [near[i].needed for i in rng.integers(len(near), size=OTHERS)] if near else []
    if not drawn:
        return 0.0, 0.0
    return (
        sum(one.hit(needed) for needed in drawn) / len(drawn),
        sum(one.chance(needed) for needed in drawn) / len(drawn),
    )


def times(found: list[Spare], pairs: np.ndarray, rng: np.random.Generator) -> str:
    """The ratio of the sums of two columns, with its interval; of four, the ratio of the ratios."""
    deals = sorted({one.deal for one in found})
    sums = np.zeros((len(deals), pairs.shape[1]))
    np.add.at(sums, np.searchsorted(deals, [one.deal for one in found]), pairs)
    low, high = np.nanquantile(_quotient(resampled(sums, RESAMPLES, rng)), (0.025, 0.975))
    return f"{_quotient(sums.sum(axis=0)):.2f} ({low:.2f}–{high:.2f})"


def _quotient(sums: np.ndarray) -> np.ndarray:
    """NaN where the denominator is 0, which happens with few deals."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value: np.ndarray = sums[..., 0] / sums[..., 1]
        return value if sums.shape[-1] == 2 else value / (sums[..., 2] / sums[..., 3])

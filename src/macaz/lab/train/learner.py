"""How a network learns from games: play a stretch, see what became of it, and do better (PPO)."""

from __future__ import annotations

import contextlib
import copy
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from macaz.kernel.layout import SEATS
from macaz.lab.train.compiled.lessons import LEARNER, PAST_SELF, SCRIPTED
from macaz.lab.train.games import SCRIPTS, Lessons
from macaz.lab.train.judge import judge, worth_of
from macaz.lab.train.network import Network, Said, odds_of, perturbed
from macaz.lab.train.progress import WINS
from macaz.lab.train.seen import WIN, WORTH, Seen
from macaz.lab.train.settings import Settings

KEEP = 1.0  # how large a step of learning may be
SHRINK = 1e-3  # what is not needed is forgotten so quickly
DEVIATION = 1e-6
VALUE_WEIGHT = 0.5
WIN_WEIGHT = 0.25
FEWEST = 2  # decisions that can be compared with each other


class Iteration(NamedTuple):
    """What came of playing and learning once."""

    decisions: int
    games: int  # that ended
    numbers: dict[str, float]  # that tell how it goes


class Learner:
    """A network, its past selves, and the games that it learns from."""

    def __init__(self, settings: Settings, network: Network, device: str, first: int = 0) -> None:
        """`first` is the number of the first game of each kind of table in its series."""
        self.settings, self.network, self.device = settings, network.to(device), device
        self.past = [_copy(network)]
        self.lessons = Lessons(settings, device, first)
        self.optimizer = torch.optim.AdamW(
            network.parameters(), lr=settings.rate, weight_decay=SHRINK, fused=device == "cuda"
        )
        self.timed = False  # whether the parts are timed on a GPU, where that costs time
        self.spent: defaultdict[str, float] = defaultdict(float)  # seconds, by part
        self._rival = copy.deepcopy(network).eval()
        read = len(network.get_buffer("columns"))
        self._seen = Seen(settings.steps, settings.games, read, device)
        players, seats = self.lessons.players, self.lessons.seats
        at_table = torch.arange(SEATS, device=device) < seats.unsqueeze(1)
        self._learns = (players == LEARNER) & at_table
        self._meets_past = ((players == PAST_SELF) & at_table).any(1)
        self._past_places = self._meets_past.nonzero().squeeze(1)
        self._script = torch.where(at_table, players, 0).amax(1)
        self._fewest_seats = seats == min(settings.seats)
        self.lessons.begin()

    def iterate(self, done: float, *, warm: bool) -> Iteration:
        """Play and learn once, where `done` of all the learning, 0 to 1, lies behind.

        Until it is `warm`, only what endings are worth is learned: before that is known, nobody
        can say which decisions were good.
        """
        choice = int(torch.randint(len(self.past), ()))
        self._rival.load_state_dict(self.past[choice])
        self.network.eval()
        self._play()
        with self._time("learning"):
            judge(self._seen, self.settings.trace)
        self.network.train()
        numbers = self._learn(done, warm=warm)
        return Iteration(
            self.settings.steps * self.settings.games,
            int(self._seen.ended.sum()),
            numbers | self._results(),
        )

    def remember(self) -> None:
        """Keep the present self among the past ones, the oldest of which goes but for the first."""
        self.past.append(_copy(self.network))
        if len(self.past) > self.settings.league:
            del self.past[1]

    @torch.no_grad()
    def _play(self) -> None:
        """Some decisions in each game, written down."""
        lessons, seen = self.lessons, self._seen
        places, network = self._past_places, self.network
        for t in range(self.settings.steps):
            with self._time("network"):
                read = network.read(lessons.rows)
                said = self._ask(network, read)
                wishes = said.wishes
                who = lessons.deciders.long()
                if len(places):
                    rival = self._ask(self._rival, read[places]).wishes
                    theirs = lessons.players[places, who[places]] == PAST_SELF
                    wishes = wishes.clone()
                    wishes[places] = torch.where(theirs.unsqueeze(1), rival, wishes[places])
                lessons.wishes.copy_(perturbed(wishes))
                seen.read[t] = read
                seen.legal[t] = lessons.legal
                seen.deciders[t] = who
                seen.learns[t] = self._learns.gather(1, who.unsqueeze(1)).squeeze(1)
                seen.values[t, :, WORTH] = said.worth
                seen.values[t, :, WIN] = said.win.sigmoid()
            with self._time("games"):
                lessons.step()
            with self._time("network"):
                seen.intents[t] = lessons.intents
                seen.colors[t] = lessons.colors
                seen.payable[t] = lessons.payable
                seen.ended[t] = lessons.ended
                seen.endings[t, :, :, WORTH] = worth_of(
                    lessons.scores, lessons.shares, lessons.seats, self.settings
                )
                seen.endings[t, :, :, WIN] = lessons.shares
                seen.odds[t] = odds_of(
                    said.wishes, seen.legal[t], lessons.payable, lessons.intents, lessons.colors
                ).taken

    def _ask(self, network: Network, read: Tensor) -> Said:
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            said: Said = network(read)
        return said

    def _learn(self, done: float, *, warm: bool) -> dict[str, float]:
        settings = self.settings
        rate = settings.rate + (settings.last_rate - settings.rate) * done
        openness = settings.entropy + (settings.last_entropy - settings.entropy) * done
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with self._time("learning"):
            sums: dict[str, Tensor] = {}
            batches = 0
            for batch in self._batches():
                for name, value in self._step(batch, openness, warm=warm).items():
                    sums[name] = sums.get(name, 0) + value
                batches += 1
            return {name: float(value) / max(batches, 1) for name, value in sums.items()} | {
                "learning/rate": rate
            }

    def _batches(self) -> Iterator[Tensor]:
        """The decisions to learn from, in a random order, many at once."""
        learns = self._seen.learns.view(-1).nonzero().squeeze(1)
        if len(learns) < FEWEST:
            return
        size = min(self.settings.batch, len(learns))
        for _ in range(self.settings.epochs):
            order = learns[torch.randperm(len(learns), device=self.device)]
            yield from order[: len(order) // size * size].view(-1, size)

    def _step(self, batch: Tensor, openness: float, *, warm: bool) -> dict[str, Tensor]:
        """Learn from some decisions; returns what tells how it goes."""
        seen, clip = self._seen, self.settings.clip

        def pick(array: Tensor) -> Tensor:
            return array.view(-1, *array.shape[2:]).index_select(0, batch)

        said = self._ask(self.network, pick(seen.read))
        legal, payable = pick(seen.legal), pick(seen.payable)
        odds = odds_of(said.wishes, legal, payable, pick(seen.intents), pick(seen.colors))
        gains = pick(seen.gains)
        gains = (gains - gains.mean()) / (gains.std() + DEVIATION)
        change = odds.taken - pick(seen.odds)
        ratio = change.exp()
        better = torch.minimum(ratio * gains, ratio.clamp(1 - clip, 1 + clip) * gains).mean()
        targets = pick(seen.targets)
        error = functional.mse_loss(said.worth, targets[:, WORTH])
        surprise = functional.binary_cross_entropy_with_logits(
            said.win, targets[:, WIN].clamp(0, 1)
        )
        entropy = odds.entropy.mean()
        loss = VALUE_WEIGHT * error + WIN_WEIGHT * surprise
        if warm:
            loss = loss - better - openness * entropy
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        size = torch.nn.utils.clip_grad_norm_(self.network.parameters(), KEEP)
        self.optimizer.step()
        with torch.no_grad():
            return {
                "learning/error": error.detach(),
                "learning/win surprise": surprise.detach(),
                "learning/entropy": entropy.detach(),
                "learning/change": (ratio - 1 - change).mean(),
                "learning/clipped": ((ratio - 1).abs() > clip).float().mean(),
                "learning/gradient": size.detach(),
                "learning/trust": self.network.trust[0].detach(),
            }

    def _results(self) -> dict[str, float]:
        """The share of the wins that the learner has against others, where fewest sit at a table.

        It is counted by seat, as few sit against many: an even share is a half at any table.
        """
        seen = self._seen
        mine = self._learns.sum(1)
        others = self.lessons.seats - mine
        own = (seen.endings[..., WIN] * self._learns).sum(2)
        against = {
            script: self._script == SCRIPTED + number for number, script in enumerate(SCRIPTS)
        }
        against["past"] = self._meets_past
        found = {}
        for name, places in against.items():
            counts = seen.ended & places & self._fewest_seats
            games = int(counts.sum())
            if games:
                wins = float(torch.where(counts, own, 0.0).sum())
                ours = wins / int((counts * mine).sum())
                theirs = (games - wins) / int((counts * others).sum())
                found[WINS + name] = ours / (ours + theirs)
        return found

    @contextlib.contextmanager
    def _time(self, part: str) -> Iterator[None]:
        """Count the time of a part; on a GPU only where it is asked for, as waiting costs time."""
        began = self._now()
        yield
        self.spent[part] += self._now() - began

    def _now(self) -> float:
        if self.device == "cuda" and self.timed:
            torch.cuda.synchronize()
        return time.perf_counter()


def _copy(network: Network) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}

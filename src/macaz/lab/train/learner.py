"""Proximal policy optimisation (PPO): play a rollout, estimate advantages, update the network."""

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
from macaz.lab.train.advantages import estimate_advantages, utility_of
from macaz.lab.train.compiled.lessons import LEARNER, PAST_SELF, SCRIPTED
from macaz.lab.train.games import SCRIPTS, TrainingEnvs
from macaz.lab.train.network import Network, Output, add_gumbel_noise, likelihood_of
from macaz.lab.train.progress import WINS
from macaz.lab.train.rollout import UTILITY, WIN, Rollout
from macaz.lab.train.settings import Settings

MAX_GRADIENT_NORM = 1.0
WEIGHT_DECAY = 1e-3
EPSILON = 1e-6  # avoids a division by a standard deviation of zero
VALUE_WEIGHT = 0.5
WIN_WEIGHT = 0.25
MIN_DECISIONS = 2  # fewer have no standard deviation


class Iteration(NamedTuple):
    """The result of one iteration: a rollout and its updates."""

    decisions: int
    games: int  # that ended
    numbers: dict[str, float]  # losses and win shares, by name


class Learner:
    """A network, its past selves, and the games that it is trained on."""

    def __init__(self, settings: Settings, network: Network, device: str, first: int = 0) -> None:
        """`first` is the number of the first game of each kind of table."""
        self.settings, self.network, self.device = settings, network.to(device), device
        self.past = [_copy(network)]
        self.envs = TrainingEnvs(settings, device, first)
        self.optimizer = torch.optim.AdamW(
            network.parameters(),
            lr=settings.rate,
            weight_decay=WEIGHT_DECAY,
            fused=device == "cuda",
        )
        self.timed = False  # synchronise the GPU to time each part, which slows it down
        self.spent: defaultdict[str, float] = defaultdict(float)  # seconds, by part
        self._past_network = copy.deepcopy(network).eval()
        read = len(network.get_buffer("columns"))
        self._rollout = Rollout(settings.steps, settings.games, read, device)
        players, seats = self.envs.players, self.envs.seats
        at_table = torch.arange(SEATS, device=device) < seats.unsqueeze(1)
        self._learns = (players == LEARNER) & at_table
        self._meets_past = ((players == PAST_SELF) & at_table).any(1)
        self._past_slots = self._meets_past.nonzero().squeeze(1)
        self._script = torch.where(at_table, players, 0).amax(1)
        self._fewest_seats = seats == min(settings.seats)
        self.envs.begin()

    def iterate(self, done: float, *, warm: bool) -> Iteration:
        """Play and learn once; `done` is the share of the training time that has passed, 0 to 1.

        Until it is `warm`, only the value heads are trained: advantages mean nothing before those
        predict.
        """
        choice = int(torch.randint(len(self.past), ()))
        self._past_network.load_state_dict(self.past[choice])
        self.network.eval()
        self._play()
        with self._time("learning"):
            estimate_advantages(self._rollout, self.settings.trace)
        self.network.train()
        numbers = self._learn(done, warm=warm)
        return Iteration(
            self.settings.steps * self.settings.games,
            int(self._rollout.ended.sum()),
            numbers | self._results(),
        )

    def remember(self) -> None:
        """Add a copy of the network to the past selves; drop the oldest except the first."""
        self.past.append(_copy(self.network))
        if len(self.past) > self.settings.league:
            del self.past[1]

    @torch.no_grad()
    def _play(self) -> None:
        """Fill the rollout: `steps` decisions in each game."""
        envs, rollout = self.envs, self._rollout
        slots, network = self._past_slots, self.network
        for t in range(self.settings.steps):
            with self._time("network"):
                read = network.read(envs.rows)
                output = self._ask(network, read)
                logits = output.logits
                who = envs.deciders.long()
                if len(slots):
                    past_logits = self._ask(self._past_network, read[slots]).logits
                    theirs = envs.players[slots, who[slots]] == PAST_SELF
                    logits = logits.clone()
                    logits[slots] = torch.where(theirs.unsqueeze(1), past_logits, logits[slots])
                envs.logits.copy_(add_gumbel_noise(logits))
                rollout.read[t] = read
                rollout.legal[t] = envs.legal
                rollout.deciders[t] = who
                rollout.learns[t] = self._learns.gather(1, who.unsqueeze(1)).squeeze(1)
                rollout.values[t, :, UTILITY] = output.utility
                rollout.values[t, :, WIN] = output.win.sigmoid()
            with self._time("games"):
                envs.step()
            with self._time("network"):
                rollout.intents[t] = envs.intents
                rollout.colors[t] = envs.colors
                rollout.payable[t] = envs.payable
                rollout.ended[t] = envs.ended
                rollout.endings[t, :, :, UTILITY] = utility_of(
                    envs.scores, envs.shares, envs.seats, self.settings
                )
                rollout.endings[t, :, :, WIN] = envs.shares
                rollout.log_probs[t] = likelihood_of(
                    output.logits, rollout.legal[t], envs.payable, envs.intents, envs.colors
                ).log_prob

    def _ask(self, network: Network, read: Tensor) -> Output:
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            output: Output = network(read)
        return output

    def _learn(self, done: float, *, warm: bool) -> dict[str, float]:
        settings = self.settings
        rate = settings.rate + (settings.last_rate - settings.rate) * done
        entropy_weight = settings.entropy + (settings.last_entropy - settings.entropy) * done
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        with self._time("learning"):
            sums: dict[str, Tensor] = {}
            batches = 0
            for batch in self._batches():
                for name, value in self._step(batch, entropy_weight, warm=warm).items():
                    sums[name] = sums.get(name, 0) + value
                batches += 1
            return {name: float(value) / max(batches, 1) for name, value in sums.items()} | {
                "learning/rate": rate
            }

    def _batches(self) -> Iterator[Tensor]:
        """Random minibatches of the decisions to learn from, as indexes."""
        learns = self._rollout.learns.view(-1).nonzero().squeeze(1)
        if len(learns) < MIN_DECISIONS:
            return
        size = min(self.settings.batch, len(learns))
        for _ in range(self.settings.epochs):
            order = learns[torch.randperm(len(learns), device=self.device)]
            yield from order[: len(order) // size * size].view(-1, size)

    def _step(self, batch: Tensor, entropy_weight: float, *, warm: bool) -> dict[str, Tensor]:
        """One gradient step; returns its losses and diagnostics."""
        rollout, clip = self._rollout, self.settings.clip

        def pick(array: Tensor) -> Tensor:
            return array.view(-1, *array.shape[2:]).index_select(0, batch)

        output = self._ask(self.network, pick(rollout.read))
        legal, payable = pick(rollout.legal), pick(rollout.payable)
        likelihood = likelihood_of(
            output.logits, legal, payable, pick(rollout.intents), pick(rollout.colors)
        )
        advantages = pick(rollout.advantages)
        advantages = (advantages - advantages.mean()) / (advantages.std() + EPSILON)
        change = likelihood.log_prob - pick(rollout.log_probs)
        ratio = change.exp()
        surrogate = torch.minimum(
            ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages
        ).mean()
        targets = pick(rollout.targets)
        value_loss = functional.mse_loss(output.utility, targets[:, UTILITY])
        win_loss = functional.binary_cross_entropy_with_logits(
            output.win, targets[:, WIN].clamp(0, 1)
        )
        entropy = likelihood.entropy.mean()
        loss = VALUE_WEIGHT * value_loss + WIN_WEIGHT * win_loss
        if warm:
            loss = loss - surrogate - entropy_weight * entropy
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(self.network.parameters(), MAX_GRADIENT_NORM)
        self.optimizer.step()
        with torch.no_grad():
            return {
                "learning/error": value_loss.detach(),
                "learning/win surprise": win_loss.detach(),
                "learning/entropy": entropy.detach(),
                "learning/change": (ratio - 1 - change).mean(),
                "learning/clipped": ((ratio - 1).abs() > clip).float().mean(),
                "learning/gradient": norm.detach(),
                "learning/trust": self.network.trust[0].detach(),
            }

    def _results(self) -> dict[str, float]:
        """The learner's share of the wins against each opponent, at tables of the fewest seats.

        Wins are counted per seat, so that equal strength gives a half at any table.
        """
        rollout = self._rollout
        mine = self._learns.sum(1)
        others = self.envs.seats - mine
        own = (rollout.endings[..., WIN] * self._learns).sum(2)
        against = {
            script: self._script == SCRIPTED + number for number, script in enumerate(SCRIPTS)
        }
        against["past"] = self._meets_past
        found = {}
        for name, slots in against.items():
            counts = rollout.ended & slots & self._fewest_seats
            games = int(counts.sum())
            if games:
                wins = float(torch.where(counts, own, 0.0).sum())
                ours = wins / int((counts * mine).sum())
                theirs = (games - wins) / int((counts * others).sum())
                found[WINS + name] = ours / (ours + theirs)
        return found

    @contextlib.contextmanager
    def _time(self, part: str) -> Iterator[None]:
        """Add the time of a part to `spent`."""
        began = self._now()
        yield
        self.spent[part] += self._now() - began

    def _now(self) -> float:
        if self.device == "cuda" and self.timed:
            torch.cuda.synchronize()
        return time.perf_counter()


def _copy(network: Network) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in network.state_dict().items()}

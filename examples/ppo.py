"""A network learns a game of two by playing against itself: PPO with masked actions, in PyTorch.

Both seats of 256 games at once are played by the network (the vector environment). Every decision
of both becomes an example. Afterwards the network plays against a bot (the Gymnasium environment),
each deal from both seats.
"""

import argparse
import time

import gymnasium
import numpy as np
import torch
from torch import nn

from macaz.kernel.observation import observation_slices
from macaz.lab.env.vector import VectorEnv

GAMES, STEPS = 256, 64  # in a batch: games at once, decisions of each
EPOCHS, MINIBATCH, CLIP = 2, 2048, 0.2
RATE, ENTROPY, LAMBDA = 1e-3, 0.003, 0.97
ILLEGAL = -60.0  # the score of an illegal action; its chance is 0 but for rounding
POINTS = 50.0  # of margin count as a reward of 1
SCORE = observation_slices()["score"].start  # by seat from the observer: tens, ones


class Network(nn.Module):
    """From an observation to a score for each action, and the margin to expect."""

    def __init__(self, largest, actions, width=192):
        super().__init__()
        # Most of an observation is for other maps and more seats, and always 0 here.
        self.register_buffer("used", torch.nonzero(largest).flatten())
        self.register_buffer("scale", 1 / largest[self.used].float())
        self.body = nn.Sequential(
            nn.Linear(len(self.used), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy, self.rest = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer in (self.policy, self.rest):
            nn.init.normal_(layer.weight, std=0.01)

    def inputs(self, seen):
        """The used numbers of observations, and the margin of the points so far."""
        points = seen[:, SCORE : SCORE + 4].float() @ torch.tensor([10.0, 1.0, -10.0, -1.0])
        return seen[:, self.used] * self.scale, points / POINTS

    def forward(self, x, now, mask):
        """The logarithms of the probabilities, and the margin at the end: now, and the rest."""
        hidden = self.body(x)
        scores = self.policy(hidden).masked_fill(mask == 0, ILLEGAL)
        return scores.log_softmax(1), now + self.rest(hidden).squeeze(1)


class Batch:
    """What was seen and done in a batch of decisions."""

    def __init__(self, network, env, seen, infos):
        """Play STEPS decisions in each game with the network."""
        keep = {name: [] for name in ("x", "now", "mask", "action", "chance", "worth")}
        seats, rewards, ended = [], [], []
        for _ in range(STEPS):
            # The arrays of the environment are shared, and overwritten by the next step.
            mask = torch.from_dlpack(infos["action_mask"]).clone()
            x, now = network.inputs(torch.from_dlpack(seen))
            with torch.no_grad():
                chances, worth = network(x, now, mask)
            sums = (chances.exp() * mask).cumsum(1)
            action = (sums > sums[:, -1:] * torch.rand(GAMES, 1)).int().argmax(1)
            chance = chances.gather(1, action[:, None]).squeeze(1)
            for name, value in zip(keep, (x, now, mask, action, chance, worth), strict=True):
                keep[name].append(value)
            seats.append(torch.from_dlpack(infos["seat"]).clone())
            seen, reward, over, _, infos = env.step(action.numpy())
            rewards.append(torch.from_dlpack(reward)[:, 0] / POINTS)  # of seat 0; seat 1 has - this
            ended.append(torch.from_dlpack(over).float())
        with torch.no_grad():
            x, now = network.inputs(torch.from_dlpack(seen))
            after = network(x, now, torch.from_dlpack(infos["action_mask"]))[1]
        seats.append(torch.from_dlpack(infos["seat"]).clone())
        self.seen, self.infos = seen, infos
        self.advantages(keep["worth"], after, seats, rewards, ended)
        for name, values in keep.items():
            setattr(self, name, torch.cat(values))

    def advantages(self, worths, after, seats, rewards, ended):
        """How much better each decision was than expected (GAE).

        What is good for one seat is as bad for the other: where the other one decides next, its
        expectation counts with the opposite sign.
        """
        found, ahead = [], torch.zeros(GAMES)
        for t in reversed(range(STEPS)):
            going = (1 - ended[t]) * torch.where(seats[t] == seats[t + 1], 1.0, -1.0)
            mine = torch.where(seats[t] == 0, 1.0, -1.0)
            surprise = rewards[t] * mine + going * after - worths[t]
            ahead = surprise + LAMBDA * going * ahead
            after = worths[t]
            found.append(ahead)
        self.gain = torch.cat(found[::-1])
        self.target = self.gain + torch.cat(worths)


def improve(network, optimizer, batch):
    """Some epochs of PPO over a batch."""
    gain = (batch.gain - batch.gain.mean()) / (batch.gain.std() + 1e-6)
    for _ in range(EPOCHS):
        for part in torch.randperm(len(gain)).split(MINIBATCH):
            chances, worth = network(batch.x[part], batch.now[part], batch.mask[part])
            chance = chances.gather(1, batch.action[part, None]).squeeze(1)
            ratio = (chance - batch.chance[part]).exp()
            bounded = ratio.clamp(1 - CLIP, 1 + CLIP)
            better = torch.min(ratio * gain[part], bounded * gain[part]).mean()
            wrong = (worth - batch.target[part]).square().mean()
            spread = -(chances.exp() * chances).sum(1).mean()
            optimizer.zero_grad()
            (0.5 * wrong - better - ENTROPY * spread).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def play_pairs(network, edition, bot, pairs):
    """The share of wins against a bot, and half of its 95 % interval, over deals played twice."""
    env = gymnasium.make("macaz.lab.env.gymnasium:macaz/Game-v0", edition=edition, opponents=bot)
    shares = []
    for deal in range(pairs):
        won = 0.0
        for seat in (0, 1):
            seen, info = env.reset(seed=deal, options={"seat": seat})
            over = False
            while not over:
                with torch.no_grad():
                    x, now = network.inputs(torch.from_numpy(seen)[None])
                    chances, _ = network(x, now, torch.from_numpy(info["action_mask"])[None])
                seen, reward, over, _, info = env.step(chances.argmax().item())
            won += reward + 0.5
        shares.append(won / 2)
    return np.mean(shares), 1.96 * np.std(shares) / max(1, pairs) ** 0.5


def main():
    """Learn, and then show how strong the network is."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--edition", default="usa-classic")
    parser.add_argument("--minutes", type=float, default=8.0, help="of processor time, to learn")
    parser.add_argument("--batches", type=int, help="to learn from; instead of --minutes")
    parser.add_argument("--against", default="random,apprentice,greedy", help="to play afterwards")
    parser.add_argument("--pairs", type=int, default=200, help="deals, each played twice")
    parser.add_argument("--save", help="a file for the network")
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)  # with networks as small as this, more threads mostly wait
    env = VectorEnv(args.edition, seats=2, games=GAMES, seed=1, reward="margin")
    seen, infos = env.reset()
    largest = torch.zeros(seen.shape[1], dtype=torch.int8)
    for _ in range(4000):  # random games, for the largest of each number
        largest = torch.maximum(largest, torch.from_dlpack(seen).amax(0))
        seen, _, _, _, infos = env.step(env.sample_actions())
    network = Network(largest, env.table.actions)
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    began, batches, done = time.process_time(), 0, 0.0
    while done < 1:
        for group in optimizer.param_groups:  # ever smaller steps
            group["lr"] = RATE * max(0.02, 1 - done)
        batch = Batch(network, env, seen, infos)
        seen, infos = batch.seen, batch.infos
        improve(network, optimizer, batch)
        batches += 1
        passed = time.process_time() - began
        done = batches / args.batches if args.batches else passed / (60 * args.minutes)
        if batches & (batches - 1) == 0 or done >= 1:
            print(f"{passed:4.0f} s: {batches * GAMES * STEPS:,} decisions", flush=True)
    if args.save:
        torch.save(network.state_dict(), args.save)
    for bot in args.against.split(","):
        share, half = play_pairs(network, args.edition, bot, args.pairs)
        print(f"against {bot}: won {share:.1%} ± {half:.1%} of {2 * args.pairs} games")


if __name__ == "__main__":
    main()

"""A linear policy learns to win at `tiny` in a minute, on one core, with NumPy alone.

It plays seat 0 against random moves, in 256 games at once. Its actions in the games that it wins
become more likely (REINFORCE). `python train_small.py 10` stops after 10 seconds.
"""

import sys
import time

import numpy as np

from macaz.lab.env.vector import VectorEnv

GAMES, STEPS, RATE = 256, 64, 0.3
rng, env = np.random.default_rng(1), VectorEnv("tiny", seats=2, games=GAMES, seed=1)
seen, infos = env.reset()
used = np.zeros(seen.shape[1], bool)  # most of an observation is for larger maps, and always 0
for _ in range(200):
    used |= env.step(env.sample_actions())[0].any(axis=0)
weights = np.zeros((used.sum(), env.table.actions), np.float32)
one = np.eye(env.table.actions, dtype=np.float32)

began, limit, batch = time.process_time(), float(sys.argv[1] if sys.argv[1:] else 60), 0
while (passed := time.process_time() - began) < limit:
    steps = []
    for _ in range(STEPS):
        x = seen[:, used].astype(np.float32) / 4
        likely = np.exp(np.clip(x @ weights, -50, 50)) * infos["action_mask"]
        likely /= likely.sum(axis=1, keepdims=True)
        choice = (likely.cumsum(axis=1) > 0.9999 * rng.random((GAMES, 1))).argmax(axis=1)
        mine = infos["seat"] == 0
        seen, reward, ended, _, infos = env.step(np.where(mine, choice, env.sample_actions()))
        steps.append((x, (one[choice] - likely) * mine[:, None], reward[:, 0].copy(), ended.copy()))
    results = np.concatenate([reward[ended] for _, _, reward, ended in steps])
    worth = np.zeros(GAMES, np.float32)  # of what was done in each game, once it is known
    for x, push, reward, ended in reversed(steps):
        worth = np.where(ended, reward - results.mean(), worth)
        weights += RATE / GAMES * x.T @ (push * worth[:, None])
    if (batch := batch + 1).bit_count() == 1:  # at 1, 2, 4, 8, … batches
        print(f"{passed:3.0f} s: won {results.mean() + 0.5:.0%} of {len(results)} games")

"""Random games of another engine: `peer.py NAME SECONDS` prints one line of JSON.

`macaz bench` starts it in a separate environment (peers.txt). Each engine plays random games as its
documentation shows; imports and a first game are not timed.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version


def catanatron() -> Callable[[], int]:
    """Four random players of Catan, as Catanatron's own simulator plays them."""
    from catanatron import Color, Game, RandomPlayer

    colors = [Color.RED, Color.BLUE, Color.ORANGE, Color.WHITE]

    def play() -> int:
        game = Game([RandomPlayer(color) for color in colors])
        game.play()
        return len(game.state.actions)

    return play


def open_spiel(name: str) -> Callable[[], int]:
    """A game of OpenSpiel with uniformly random actions; chance is sampled."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, weights)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return play


def rlcard() -> Callable[[], int]:
    """Gin rummy between two of RLCard's random agents."""
    # While it is imported, RLCard asks pip whether PyTorch is installed. Neither is, here.
    check_output, subprocess.check_output = subprocess.check_output, lambda *_, **__: b""
    import rlcard
    from rlcard.agents import RandomAgent

    subprocess.check_output = check_output
    environment = rlcard.make("gin-rummy")
    environment.set_agents([RandomAgent(num_actions=environment.num_actions) for _ in range(2)])

    def play() -> int:
        before = environment.timestep
        environment.run(is_training=False)
        return environment.timestep - before

    return play


PEERS = {
    "catanatron": ("catanatron", catanatron),
    "openspiel-backgammon": ("open-spiel", lambda: open_spiel("backgammon")),
    "openspiel-gin-rummy": ("open-spiel", lambda: open_spiel("gin_rummy")),
    "openspiel-hearts": ("open-spiel", lambda: open_spiel("hearts")),
    "rlcard-gin-rummy": ("rlcard", rlcard),
}


def main() -> None:
    """Measure one engine."""
    name, seconds = sys.argv[1], float(sys.argv[2])
    package, make = PEERS[name]
    random.seed(1)
    play = make()
    play()
    games = decisions = 0
    began = time.perf_counter()
    while (elapsed := time.perf_counter() - began) < seconds or not games:
        decisions += play()
        games += 1
    print(
        json.dumps(
            {
                "games": games,
                "decisions": decisions,
                "seconds": elapsed,
                "version": version(package),
            }
        )
    )


if __name__ == "__main__":
    main()

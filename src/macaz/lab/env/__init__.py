"""Reinforcement learning environments: for Gymnasium, PettingZoo, OpenSpiel, or many games."""

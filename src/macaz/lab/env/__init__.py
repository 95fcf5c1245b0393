"""Reinforcement learning environments: observations, vector environment, PettingZoo, OpenSpiel."""

"""Overlaps and distances of boxes, points and lines in the plane."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from macaz.draw import exact
from macaz.edition.plate import Plate

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_PIECE = re.compile(r"([MLC])([^MLC]*)")


def space_corners(plate: Plate, track: int) -> Floats:
    """The four corners of each space of a lane: the back edge's first, in the lane's direction."""
    spaces = plate.tracks[track].spaces
    if not spaces:
        return np.zeros((0, 4, 2))
    middles = np.array([[s.x, s.y] for s in spaces])
    angle = np.radians([s.angle for s in spaces])
    cos, sin = exact.cos(angle), exact.sin(angle)
    along = np.stack([cos, sin], axis=1) * plate.space_length / 2
    across = np.stack([-sin, cos], axis=1) * plate.space_width / 2
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.stack([middles + a * along + b * across for a, b in signs], axis=1)


def box_corners(boxes: Floats) -> Floats:
    """The corners of upright boxes given by left, top, right and bottom."""
    left, top, right, bottom = boxes.T
    corners = [[left, top], [right, top], [right, bottom], [left, bottom]]
    return np.stack([np.stack(corner, axis=1) for corner in corners], axis=1)


def overlap_depth(one: Floats, other: Floats) -> Floats:
    """The depth of overlap of rectangles (by corners), row by row; 0 or less if they are apart.

    By the separating axis theorem.
    """
    depth = np.full(len(one), np.inf)
    for shape in (one, other):
        for corner in (0, 1):
            axis = shape[:, corner + 1] - shape[:, corner]
            axis = axis / np.maximum(exact.length(axis[:, 0], axis[:, 1]), 1e-12)[:, None]
            a = (one * axis[:, None]).sum(axis=2)
            b = (other * axis[:, None]).sum(axis=2)
            shared = np.minimum(a.max(axis=1), b.max(axis=1)) - np.maximum(
                a.min(axis=1), b.min(axis=1)
            )
            depth = np.minimum(depth, shared)
    return depth


def distance_to_box(points: Floats, corners: Floats) -> Floats:
    """The distance of each point from its rectangle; 0 inside."""
    middle = corners.mean(axis=1)
    total = np.zeros(len(points))
    for corner in (0, 1):
        edge = corners[:, corner + 1] - corners[:, corner]
        half = exact.length(edge[:, 0], edge[:, 1]) / 2
        along = np.abs(((points - middle) * edge).sum(axis=1)) / np.maximum(2 * half, 1e-12)
        total += np.square(np.maximum(along - half, 0.0))
    return np.sqrt(total)


def gap_between(boxes: Floats, other: Floats) -> Floats:
    """The distance of each rectangle (by corners) from another one (1, 4, 2); they are apart."""
    count = len(boxes)
    to_boxes = [distance_to_box(np.tile(other[0, k], (count, 1)), boxes) for k in range(4)]
    to_other = [distance_to_box(boxes[:, k], other) for k in range(4)]
    return np.asarray(np.min([*to_boxes, *to_other], axis=0))


def path_points(path: str, steps: int = 12) -> Floats:
    """A polyline that approximates an SVG path of M, L and C."""
    points: list[Floats] = []
    for command, text in _PIECE.findall(path):
        numbers = np.array([float(n) for n in _NUMBER.findall(text)]).reshape(-1, 2)
        if command == "M":
            points.append(numbers[0])
            continue
        t = (np.arange(steps) + 1.0)[:, None] / steps
        stride = 1 if command == "L" else 3
        for first in range(0, len(numbers), stride):
            here, there = points[-1], numbers[first + stride - 1]
            if command == "L":
                piece = here + t * (there - here)
            else:
                one, two = numbers[first : first + 2]
                rest = 1 - t
                piece = rest * rest * (rest * here + 3 * t * one) + t * t * (
                    3 * rest * two + t * there
                )
            points.extend(piece)
    return np.array(points)


def distance_to_line(points: Floats, line: Floats) -> Floats:
    """The distance of each point from a polyline."""
    start, edge = line[:-1], np.diff(line, axis=0)
    square = np.maximum(np.square(edge).sum(axis=1), 1e-12)
    apart = points[:, None] - start[None]
    part = np.clip((apart * edge).sum(axis=2) / square, 0.0, 1.0)
    rest = apart - part[..., None] * edge
    return np.asarray(exact.length(rest[..., 0], rest[..., 1]).min(axis=1))


def lines_cross(one: Floats, other: Floats) -> bool:
    """Whether two polylines cross."""
    p, q = one[:-1, None], one[1:, None]
    r, s = other[None, :-1], other[None, 1:]
    crossing = (right_of(p, q, r) != right_of(p, q, s)) & (right_of(r, s, p) != right_of(r, s, q))
    return bool(crossing.any())


def right_of(start: Floats, end: Floats, point: Floats) -> Bools:
    """Whether a point is on the right of a line; the arrays are broadcast."""
    edge, apart = end - start, point - start
    return np.asarray(edge[..., 0] * apart[..., 1] - edge[..., 1] * apart[..., 0] > 0)

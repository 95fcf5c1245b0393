"""A simple SVG picture of a plate, for authors of maps."""

from __future__ import annotations

from html import escape

from macaz.edition.board import Board, color_name
from macaz.edition.plate import Plate

_FILL = {
    "purple": "#b07cc6",
    "blue": "#5b8fd0",
    "orange": "#e58e3c",
    "white": "#ffffff",
    "green": "#79b356",
    "yellow": "#ecd04f",
    "black": "#4a4a4a",
    "red": "#cf5148",
    "gray": "#b9b4a9",
}
_EDGE = {"tunnel": ' stroke-dasharray="4 2"', "ferry": ' rx="6"'}


def picture_of(plate: Plate, board: Board) -> str:
    """The plate as an SVG file: land, tracks in their colours, cities and labels."""
    width, height = f"{plate.width:g}", f"{plate.height:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}">',
        f'<rect width="{width}" height="{height}" fill="#cfe0e6"/>',
        f'<path d="{plate.land}" fill="#f3ecdb" stroke="#8c8676" fill-rule="evenodd"/>',
        f'<path d="{plate.lakes}" fill="#cfe0e6" stroke="#8c8676" fill-rule="evenodd"/>',
        f'<path d="{plate.borders} {plate.provinces}" fill="none" stroke="#c3b99f"/>',
    ]
    long, wide = plate.space_length, plate.space_width
    for route, track in zip(board.routes, plate.tracks, strict=True):
        parts.append(f'<path d="{track.path}" fill="none" stroke="#8c8676"/>')
        style = f'fill="{_FILL[color_name(route.color)]}" stroke="#333"'
        parts += [
            f'<rect x="{-long / 2:g}" y="{-wide / 2:g}" width="{long:g}" height="{wide:g}" {style}'
            f"{_EDGE.get(route.kind, '')}"
            f' transform="translate({s.x:g} {s.y:g}) rotate({s.angle:g})"/>'
            for s in track.spaces
        ]
    for city, place in zip(board.cities, plate.cities, strict=True):
        parts.append(
            f'<circle cx="{place.x:g}" cy="{place.y:g}" r="{plate.city_radius:g}"'
            ' fill="#fff" stroke="#333" stroke-width="2"/>'
            f'<text x="{place.label_x:g}" y="{place.label_y:g}" text-anchor="{place.anchor}"'
            f' font-family="Liberation Sans, Arial, sans-serif" font-size="{plate.label_size:g}"'
            f' fill="#222">{escape(city.name)}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"

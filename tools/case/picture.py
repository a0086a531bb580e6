# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""A picture of solids: their triangles, seen in parallel from the upper left, lit from a side, with a depth buffer."""

import math

import numpy
from PIL import Image

TURN, TILT = math.radians(-36), math.radians(-24)  # about the upright, then towards the eye
LIGHT = numpy.array([-0.45, 0.55, -0.70])  # where the light comes from
PAPER = (18, 18, 22)
SHARP = 2
MARGIN = 0.05
TOLERANCE_MM, ANGLE = 0.15, 0.4
DIM, STRONG = 0.34, 0.66  # light everywhere, and from the light


def view():
    """The rotation of model coordinates (x right, y up, z away) to the picture's."""
    turn = numpy.array([[math.cos(TURN), 0, math.sin(TURN)], [0, 1, 0], [-math.sin(TURN), 0, math.cos(TURN)]])
    tilt = numpy.array([[1, 0, 0], [0, math.cos(TILT), -math.sin(TILT)], [0, math.sin(TILT), math.cos(TILT)]])
    return tilt @ turn


def triangles(shown):
    """(corners as an array of n × 3 × 3, colours as n × 3) of (solid, colour) pairs."""
    corners, colours = [], []
    for solid, colour in shown:
        points, faces = solid.tessellate(TOLERANCE_MM, ANGLE)
        spots = numpy.array([[point.X, point.Y, point.Z] for point in points])
        corners.append(spots[numpy.array(faces)])
        colours.append(numpy.tile(numpy.array(colour, dtype=float), (len(faces), 1)))
    return numpy.concatenate(corners), numpy.concatenate(colours)


def draw(shown, size):
    """A PIL image of (solid, (red, green, blue)) pairs, ``size`` pixels wide and high."""
    corners, colours = triangles(shown)
    normals = numpy.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = numpy.linalg.norm(normals, axis=1)
    whole = lengths > 1e-12
    corners, colours, normals = corners[whole], colours[whole], normals[whole] / lengths[whole, None]
    facing = numpy.abs(normals @ (LIGHT / numpy.linalg.norm(LIGHT)))
    shades = colours * (DIM + STRONG * facing)[:, None]
    seen = corners @ view().T
    width, height = SHARP * size[0], SHARP * size[1]
    low, high = seen[..., :2].min((0, 1)), seen[..., :2].max((0, 1))
    scale = min(width / (high[0] - low[0]), height / (high[1] - low[1])) * (1 - 2 * MARGIN)
    middle = (low + high) / 2
    flat = numpy.empty_like(seen)
    flat[..., 0] = width / 2 + scale * (seen[..., 0] - middle[0])
    flat[..., 1] = height / 2 - scale * (seen[..., 1] - middle[1])
    flat[..., 2] = seen[..., 2]
    canvas = numpy.tile(numpy.array(PAPER, dtype=float), (height, width, 1))
    depth = numpy.full((height, width), numpy.inf)
    for spot, shade in zip(flat, shades):
        fill(canvas, depth, spot, shade)
    image = Image.fromarray(canvas.clip(0, 255).astype("uint8"))
    return image.resize(size, Image.Resampling.LANCZOS)


def fill(canvas, depth, spot, shade):
    """Draw one triangle (3 × 3: x, y in pixels, z away from the eye) where it is nearer than what is there."""
    height, width = depth.shape
    left, top = numpy.floor(spot[:, :2].min(0)).astype(int)
    right, bottom = numpy.ceil(spot[:, :2].max(0)).astype(int)
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, width - 1), min(bottom, height - 1)
    if left > right or top > bottom:
        return
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = spot
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(area) < 1e-9:
        return
    x, y = numpy.meshgrid(numpy.arange(left, right + 1) + 0.5, numpy.arange(top, bottom + 1) + 0.5)
    second = ((x - ax) * (cy - ay) - (cx - ax) * (y - ay)) / area
    third = ((bx - ax) * (y - ay) - (x - ax) * (by - ay)) / area
    z = az + second * (bz - az) + third * (cz - az)
    window = (slice(top, bottom + 1), slice(left, right + 1))
    shown = (second >= 0) & (third >= 0) & (second + third <= 1) & (z < depth[window])
    depth[window][shown] = z[shown]
    canvas[window][shown] = shade

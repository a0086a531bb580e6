# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""render: pictures from the frames on the wire, frames as text, and every screen as it has to look."""

import argparse

import pytest
from PIL import Image

from tools import frames, looks, picture, render

SHORT_GAME = "d d c c b b a"  # Red's row of five begins in the left side column


def rendered(*words):
    """The exit status of ``render`` with these words; argparse's own refusals are its status 2."""
    parser = argparse.ArgumentParser()
    render.add_arguments(parser)
    try:
        return render.run(parser.parse_args(words))
    except SystemExit as refused:
        return refused.code


# Every screen


@pytest.mark.parametrize("look", looks.LOOKS, ids=lambda look: look.name)
def test_a_screen_looks_as_it_did(look, tmp_path):
    """Intended? Then ``python3 -m tools render --golden`` writes it anew, and git shows what has changed."""
    golden = render.GOLDEN / (look.name + ".txt")
    taken = frames.from_text(frames.to_text(looks.frames_of(look)))  # times in whole ms
    expected = frames.from_text(golden.read_text(encoding="utf-8"))
    if taken == expected:
        return
    here = [number for number, (a, b) in enumerate(zip(taken, expected)) if a != b]
    first = here[0] if here else min(len(taken), len(expected)) - 1
    full = picture.exposure([frame for _, frame in taken + expected])
    for name, shown in (("is", taken), ("was", expected)):
        picture.draw(shown[first][1], full=full).save(tmp_path / (name + ".png"))
    pytest.fail(
        "%s: frame %d of %d (before: %d) differs, see %s and was.png beside it"
        % (look.name, first + 1, len(taken), len(expected), tmp_path / "is.png")
    )


def test_no_two_screens_look_alike():
    seen = {}
    for look in looks.LOOKS:
        if not look.film_ms:
            frame = frames.from_text((render.GOLDEN / (look.name + ".txt")).read_text(encoding="utf-8"))[-1][1]
            assert frame not in seen, "%s and %s are the same picture" % (look.name, seen.get(frame))
            seen[frame] = look.name


def test_the_golden_frames_are_those_of_the_looks_and_no_others():
    assert {path.stem for path in render.GOLDEN.glob("*.txt")} == {look.name for look in looks.LOOKS}


def test_the_readmes_pictures_are_small_and_there_for_every_page():
    sizes = {path.name: path.stat().st_size for path in render.PICTURES.iterdir()}
    assert {look.name + ".png" for look in looks.LOOKS if not look.film_ms} < set(sizes)
    for name, size in sizes.items():
        assert size < (1000000 if name.endswith(".gif") else 300000), name


# Frames as text


def test_frames_survive_as_text():
    some = [(0, bytes(162)), (1240000, bytes(range(162)))]
    text = frames.to_text(some)
    assert frames.from_text("# a remark\n\n" + text) == some
    assert text.splitlines()[1] == " ".join(["......"] * 9)
    assert text.splitlines()[-1].startswith("000102 121314")  # the bottom left cell is the frame's first


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("", "there is no frame"),
        ("5 s\n", "line 1: '5 s' is no time"),
        ("5 ms\n......\n", "line 2: a row has 9 lights, not 1"),
        ("5 ms\n" + "...... " * 8 + "12345\n", "line 2: "),
        ("5 ms\n" + "...... " * 8 + "12345g\n", "line 2: "),
        ("5 ms\n" + "...... " * 9 + "\n", "the last frame has 1 rows, not 6"),
    ],
)
def test_a_text_that_is_no_frames_names_its_line(text, complaint):
    with pytest.raises(ValueError, match=complaint):
        frames.from_text(text)


# Pictures


def test_a_game_becomes_a_still_a_film_and_a_text_of_the_same_frames(tmp_path):
    names = [str(tmp_path / name) for name in ("game.png", "game.gif", "game.txt")]
    out = [word for name in names for word in ("--out", name)]
    assert rendered(SHORT_GAME, "--start", "5", "--size", "200", "--pause", "100", *out) == 0
    still, film = Image.open(names[0]), Image.open(names[1])
    assert still.size == film.size == (200, 150)
    taken = frames.from_text(open(names[2], encoding="utf-8").read())
    # The last row of five blinks at the end: the bottom row's first five lights are the winner's.
    last = taken[-1][1]
    assert all(last[18 * column] > last[18 * column + 1] for column in range(5))
    lasts_ms = 0
    for number in range(film.n_frames):
        film.seek(number)
        lasts_ms += film.info["duration"]
    assert film.n_frames > 15
    assert abs(lasts_ms - 1000 - (taken[-1][0] - taken[0][0]) / 1000) < 200
    assert rendered("--frames", names[2], "--size", "200", "--out", str(tmp_path / "again.png")) == 0
    assert Image.open(tmp_path / "again.png").convert("RGB").tobytes() == still.convert("RGB").tobytes()


def test_another_palette_gives_other_colours(tmp_path):
    lights = []
    for number, palette in enumerate(("red yellow", "orange blue")):
        path = tmp_path / ("%d.txt" % number)
        assert rendered("--keys", "4 4", "--new", "five two", "--palette", palette, "--out", str(path)) == 0
        lights.append(frames.from_text(path.read_text(encoding="utf-8"))[-1][1])
    assert lights[0][3 * 25 : 3 * 26][2] == 0 and lights[1][3 * 25 : 3 * 26][2] > 0  # Yellow's disc: blue in one


def test_a_record_of_a_random_opening_is_shown_as_it_is_written(tmp_path):
    """Whatever its seed would draw: the lot is in the record."""
    path = tmp_path / "x.txt"
    assert rendered("[random seed=5] g f e d d", "--pause", "0", "--out", str(path)) == 0
    frame = frames.from_text(path.read_text(encoding="utf-8"))[-1][1]
    lit = {cell for cell in range(6, 48) if any(frame[3 * cell : 3 * cell + 3])}
    assert lit == {42, 36, 30, 24, 25}


def test_a_record_with_pops_and_stones_is_shown(tmp_path):
    for record in ("[five pop] d c d-", "[obstacles seed=17] d d e", "[three] a b c"):
        assert rendered(record, "--pause", "0", "--out", str(tmp_path / "x.png")) == 0


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["d d x"], "move 3: 'x' is no move"),
        (["[nine] d"], "nine"),
        (["d d d d d d d"], "move 7, d: "),
        (["d-"], "move 1, d-: "),
        (["d", "--start", "5"], "the game has 1 moves"),
        (["d", "--size", "79"], "'79' is not a whole number from 80 to 4000"),
        (["d", "--size", "1000000"], "from 80 to 4000"),
        (["d", "--size", "big"], "'big' is not a whole number"),
        (["d", "--palette", "beige"], "there is no palette 'beige'; there are: red yellow"),
        (["--look", "nothing"], "there is no look 'nothing'"),
        (["--keys", "9"], "'9'"),
        (["--keys", "4", "--new", "five level 9"], "level '9' is none of 1 to 6"),
        (["--frames", "nowhere.txt"], "nowhere.txt cannot be read"),
        (["--frames", "pyproject.toml"], "pyproject.toml: line "),
        (["d", "--new", "five"], "--new is for --keys"),
        ([], "nothing to draw"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_one_line(words, complaint, tmp_path, capsys):
    path = tmp_path / "board.png"
    assert rendered(*words, "--out", str(path)) == 2
    told = capsys.readouterr().err
    assert complaint in told and "Traceback" not in told
    assert not path.exists()


@pytest.mark.parametrize("name", ["board.bmp", "board", "no/such/folder/board.png"])
def test_a_file_that_cannot_be_written_is_told_before_anything_is_done(name, tmp_path, capsys):
    assert rendered("d", "--out", str(tmp_path / name)) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_no_file_to_write_is_told(capsys):
    assert rendered("d") == 2
    assert "add --out" in capsys.readouterr().err

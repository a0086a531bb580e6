# SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
# SPDX-License-Identifier: MIT
"""The page that plays: its files, and whole games on it in a real browser."""

import argparse
import base64
import json
import re
import socket
import threading

import browser_rig
import pytest

from tools import web

RED_WINS = "4433221"  # five in the bottom row, with the side column's disc
PHONE = {"viewport": {"width": 360, "height": 700}, "hasTouch": True, "isMobile": True}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built page's folder."""
    if web.node.why_no_node() or "@micropython/micropython-webassembly-pyscript" in web.node.missing():
        pytest.skip("no MicroPython for the page (python3 -m tools test installs it)")
    folder = tmp_path_factory.mktemp("site")
    web.build(folder)
    return folder


@pytest.fixture(scope="module")
def address(site):
    with web.server(site, 0) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield "http://127.0.0.1:%d/" % running.server_address[1]
        running.shutdown()


@pytest.fixture(scope="module")
def chromium():
    if browser_rig.why_not():
        pytest.skip(browser_rig.why_not())
    browser = browser_rig.Browser()
    yield browser
    browser.close()


@pytest.fixture
def page(chromium, address):
    """The page, fresh and ready, with nothing remembered; open(options) opens it anew with a browser's options."""

    def open_page(**options):
        chromium.open(address, options)
        chromium.wait("document.body.dataset.started")

    open_page()
    chromium.open_page = open_page
    return chromium


def scene(browser, name):
    browser.wait("document.body.dataset.scene === '%s' && document.body.dataset.ready === 'true'" % name)


def printed(browser):
    return browser.value("document.getElementById('log').textContent")


def say(browser, line):
    """A line for the board, typed into its console."""
    browser.value("document.querySelector('details').open = true")
    browser.focus("#line")
    browser.type(line)
    browser.key("Enter")
    browser.value("document.activeElement.blur()")


def frame(browser):
    return bytes.fromhex(browser.value("document.getElementById('board').dataset.frame"))


def drops(browser, how, moves=RED_WINS):
    """Drop discs by how(column), each when the board is ready for it; every one of them must be printed."""
    for number, column in enumerate(moves, 1):
        scene(browser, "play")
        how(column)
        browser.wait("document.getElementById('log').textContent.includes('\\n%d. ')" % number)


# The files


def test_the_page_brings_the_very_files_of_the_board(site):
    files = json.loads((site / "files.json").read_text())
    for room in web.ROOMS:
        for path in (web.ROOT / room).rglob("*.py"):
            if "__pycache__" not in path.parts:
                name = "/" + path.relative_to(web.ROOT).as_posix()
                assert base64.b64decode(files[name]) == path.read_bytes(), name
    for library in ("neopixel", "adafruit_debouncer", "adafruit_ticks", "adafruit_pixelbuf"):
        assert "/lib/%s.py" % library in files


def test_the_page_names_no_other_place_and_is_small(site):
    for name in ("index.html", "page.css", "page.js", "worker.js"):
        text = (site / name).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//[a-z]+\.[a-z]", text), name
    assert sum(path.stat().st_size for path in site.iterdir()) < 1500000
    assert "Damien P. George" in (site / "licences.txt").read_text()


def run(*words):
    parser = argparse.ArgumentParser()
    web.add_arguments(parser)
    return web.run(parser.parse_args(words))


def test_a_place_that_cannot_be_written_or_served_is_told(site, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert run("--build", str(tmp_path / "file" / "site")) == 1
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run("--port", str(taken.getsockname()[1])) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2 and "cannot be written" in told[0] and "--port" in told[1]


# In the browser


def test_a_whole_game_by_clicks(page):
    page.click("#columns div:nth-child(1) button")
    for choice in (1, 1, 1):  # five, two people, a match
        scene(page, "setup")
        page.click("#columns div:nth-child(%d) button" % choice)
        page.wait("document.getElementById('columns').dataset.seen = 1")
    scene(page, "play")
    # the first moves on the board itself, in its second row from the top; the others by the buttons
    drops(page, lambda column: page.click("#board i:nth-child(%d)" % (9 + 1 + int(column))), RED_WINS[:3])
    for number, column in enumerate(RED_WINS[3:], 4):
        scene(page, "play")
        page.click("#columns div:nth-child(%s) button" % column)
        page.wait("document.getElementById('log').textContent.includes('\\n%d. ')" % number)
    page.wait("document.body.dataset.scene === 'result'")
    assert "Red wins" in printed(page) and "score 1:0" in printed(page)
    bottom = [frame(page)[18 * column : 18 * column + 3] for column in range(5)]
    assert all(red > green == blue == 0 for red, green, blue in bottom)
    assert page.printed() == []


def test_a_whole_game_by_keys_and_each_move_is_announced(page):
    page.key("1")
    for key in "11":  # five, two people
        scene(page, "setup")
        page.key(key)
    page.wait("document.getElementById('title').textContent.includes('match, single')")
    page.key("2")  # a single game
    scene(page, "play")
    pointer = [3]  # the arrows begin at d

    def by_arrows(column):
        while pointer[0] != int(column) - 1:
            step = 1 if pointer[0] < int(column) - 1 else -1
            page.key("ArrowRight" if step > 0 else "ArrowLeft")
            pointer[0] += step
        page.key("Enter")

    page.key("ArrowRight")
    drops(page, by_arrows, RED_WINS[:2])
    for number, column in enumerate(RED_WINS[2:], 3):
        scene(page, "play")
        page.key(column)
        page.wait("document.getElementById('log').textContent.includes('\\n%d. ')" % number)
    page.wait("document.body.dataset.scene === 'result'")
    heard = page.value("document.getElementById('announce').innerText")
    assert "7, Red a" in heard and "Red wins" in heard
    assert page.value("document.getElementById('announce').getAttribute('aria-live')") == "polite"


def test_the_game_is_there_after_a_reload(page):
    say(page, "new five two single")
    scene(page, "play")
    drops(page, page.key, "443")
    scene(page, "play")
    before = frame(page)
    page.reload()
    page.wait("document.body.dataset.started && document.body.dataset.scene === 'resume'")
    page.wait("document.getElementById('board').dataset.frame")
    lit = [any(frame(page)[at : at + 3]) for at in range(0, 162, 3)]
    assert lit == [any(before[at : at + 3]) for at in range(0, 162, 3)]
    page.key("1")
    scene(page, "play")
    say(page, "record")
    page.wait("document.getElementById('log').textContent.includes('d d c')")


def test_thought_does_not_hold_up_the_page_and_a_press_is_answered(page):
    say(page, "new cylinder level 6 engine yellow single")  # no opening book knows this one: it has to think
    scene(page, "play")
    page.value(
        "window.gaps = []; window.last = performance.now();"
        "(function next(now) { gaps.push(now - last); last = now; requestAnimationFrame(next); })(performance.now())"
    )
    page.key("1")
    page.wait("document.body.dataset.thinking === 'true'")
    page.key("2")
    page.wait("document.getElementById('log').textContent.includes('\\n2. ')")
    heard = page.value("document.getElementById('announce').innerText")
    assert heard.index("1, Red a") < heard.index("Column b is not possible now") < heard.index("2, Yellow")
    gaps = sorted(page.value("gaps"))
    # A slow machine drops a frame here and there; a page that is held up shows gaps of seconds.
    assert len(gaps) > 10 and gaps[len(gaps) // 2] < 60 and gaps[-1] < 1000
    assert "fault: " not in printed(page)


def test_pointing_at_a_column_shows_the_disc_above_it(page):
    say(page, "new five two single")
    scene(page, "play")
    shown = "[...document.querySelectorAll('#hover i')].map((i) => i.classList.contains('shown'))"
    page.hover("#board i:nth-child(14)")  # a cell of column d
    page.wait(shown + "[4]")
    assert page.value(shown).count(True) == 1
    red = page.value("getComputedStyle(document.querySelectorAll('#hover i')[4]).backgroundColor")
    page.key("1")
    scene(page, "play")
    page.wait(shown + "[4]")
    yellow = page.value("getComputedStyle(document.querySelectorAll('#hover i')[4]).backgroundColor")
    assert red != yellow and red.startswith("rgb(2")
    page.hover("#board i:nth-child(10)")  # a side column: nobody drops there
    page.wait("!" + shown + ".includes(true)")
    drops(page, page.key, "144444")  # a is then two high, d five
    page.key("4")
    scene(page, "play")
    page.hover("#board i:nth-child(14)")
    page.wait("document.body.dataset.ready === 'true'")
    assert not page.value(shown + "[4]")  # d is full


def test_holding_pop_is_the_pause_page_and_its_buttons_are_named(page):
    say(page, "new five two single")
    scene(page, "play")
    page.down("p")
    page.wait("document.body.dataset.scene === 'pause'")
    page.up("p")
    tree = page.snapshot("main")
    for name in ("a: resume", "b: take back", "g: lights", "go on"):
        assert 'button "%s"' % name in tree, tree
    assert "status" in tree and "Pause" in tree
    page.key("1")
    scene(page, "play")
    assert 'button "column d"' in page.snapshot("main")
    page.key("Shift+P")
    page.wait("document.body.dataset.scene === 'pause'")


def test_every_choice_of_every_setup_page_has_a_name(page):
    page.key("1")
    dark = "000000"
    for keys in ("", "5", "6", "7", "1", "11"):
        scene(page, "setup")
        for key in keys:
            before = page.value("document.getElementById('title').textContent")
            page.key(key)
            page.wait("document.getElementById('title').textContent !== %s" % json.dumps(before))
        page.wait("document.body.dataset.ready === 'true'")
        labels = page.value("[...document.querySelectorAll('#columns small')].map((small) => small.textContent)")
        page.wait("new Promise((done) => setTimeout(() => done(true), 150))")
        lit = frame(page).hex()
        for column, label in enumerate(labels):
            cells = lit[36 * (column + 1) : 36 * (column + 2)]
            assert bool(label) == (cells.replace(dark, "") != "" and cells[:12] != 2 * dark), (keys, column, labels)
            assert label != "…"
        for _ in keys:
            before = page.value("document.getElementById('title').textContent")
            page.key("p")
            page.wait("document.getElementById('title').textContent !== %s" % json.dumps(before))


def test_on_a_phone_it_fits_and_is_played_by_touch(page):
    page.open_page(context=PHONE)
    assert page.value("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    assert page.value("document.getElementById('pop').getBoundingClientRect().bottom") < PHONE["viewport"]["height"]
    page.tap("#columns div:nth-child(1) button")
    for _ in range(3):
        scene(page, "setup")
        before = page.value("document.getElementById('title').textContent")
        page.tap("#columns div:nth-child(1) button")
        page.wait("document.getElementById('title').textContent !== %s" % json.dumps(before))
    scene(page, "play")
    page.tap("#board i:nth-child(14)")
    page.wait("document.getElementById('log').textContent.includes('1. ● d')")


def test_nothing_is_asked_of_the_network_after_loading(page, address):
    asked = page.asked()
    assert asked and all(place.startswith((address, "data:")) for place in asked)
    page.offline(True)
    say(page, "new five two single")
    scene(page, "play")
    drops(page, page.key, "44")
    assert page.asked() == asked
    page.offline(False)


@pytest.mark.parametrize(
    "before, complaint",
    [
        ("delete window.WebAssembly", "no WebAssembly"),
        ("delete window.Worker", "no Web Workers"),
    ],
)
def test_a_browser_that_cannot_run_it_is_told_so(chromium, address, before, complaint):
    chromium.open(address, {"before": before})
    chromium.wait("!document.getElementById('fault').hidden")
    told = chromium.value("document.getElementById('fault').innerText")
    assert complaint in told and "Use a current Firefox" in told
    assert chromium.value("document.getElementById('device').hidden")


def test_files_that_do_not_load_are_told(chromium, site, tmp_path):
    import shutil

    shutil.copytree(site, tmp_path / "site")
    (tmp_path / "site" / "files.json").unlink()
    with web.server(tmp_path / "site", 0) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        chromium.open("http://127.0.0.1:%d/" % running.server_address[1], {})
        chromium.wait("!document.getElementById('fault').hidden")
        running.shutdown()
    assert "files.json: 404" in chromium.value("document.getElementById('fault').innerText")


def test_a_browser_that_keeps_nothing_or_something_else_still_plays(page):
    page.open_page(before="Storage.prototype.setItem = () => { throw new Error('full'); }")
    page.wait("document.getElementById('kept').textContent.includes('keeps nothing')")
    key = json.dumps("five-in-a-row board: memory")
    page.open_page(before="localStorage.setItem(%s, 'not a memory')" % key)
    page.key("1")
    scene(page, "setup")
    page.open_page(before="localStorage.setItem(%s, '5a'.repeat(4096))" % key)
    page.wait("document.getElementById('log').textContent.includes('memory: ')")
    page.key("1")
    scene(page, "setup")

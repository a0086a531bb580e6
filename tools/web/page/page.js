// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// What one sees and presses; the board itself runs in worker.js. Cells and columns are the firmware's: cell = 6 * column
// + row from the bottom left, columns 1 .. 7 of the nine are a .. g, button 7 is pop.
"use strict";

const COLUMNS = 9, ROWS = 6, FREE = 7, POP = 7;
const UNLIT = 44; // of 255, as in page.css
const LETTERS = "abcdefg";
const MEMORY = "five-in-a-row board: memory"; // what the board's non-volatile memory holds, in hexadecimal
const HOLD_MS = 1200; // of P, which stands for p held
const LOG_LINES = 500;
const REMEDY = "Use a current Firefox, Chrome, Edge or Safari.";

const element = (id) => document.getElementById(id);
const sight = { lights: [], hovers: [], buttons: [], labels: [] };
let worker = null;
let state = null;
let pointer = -1; // the column that the mouse is over
let held = new Map(); // key or pointer -> button that it holds down

function fault(text) {
    element("fault").textContent = text;
    element("fault").hidden = false;
    element("title").hidden = true;
}

function announce(text) {
    // Two the same, one after the other, are both to be heard.
    const line = document.createElement("p");
    line.textContent = text;
    element("announce").append(line);
    while (element("announce").childElementCount > 8) element("announce").firstChild.remove();
}

// Memory

function remembered() {
    try {
        const memory = localStorage.getItem(MEMORY) || "";
        return /^([0-9a-f]{8192})?$/.test(memory) ? memory : "";
    } catch {
        return "";
    }
}

function remember(memory) {
    let kept = "Your game is kept in this browser.";
    try {
        localStorage.setItem(MEMORY, memory);
    } catch {
        kept = "This browser keeps nothing: your game ends with the page.";
    }
    element("kept").textContent = kept;
}

// Pressing

function press(button, down, source) {
    if (!worker) return;
    if (down) {
        if (held.has(source)) return;
        held.set(source, button);
    } else {
        if (!held.has(source)) return;
        button = held.get(source);
        held.delete(source);
    }
    const shown = button === POP ? element("pop") : sight.buttons[button];
    shown.classList.toggle("down", down);
    worker.postMessage({ press: [button, down] });
}

function releaseAll() {
    for (const source of [...held.keys()]) press(0, false, source);
}

function pressable(target, button) {
    target.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        const which = typeof button === "function" ? button(event) : button;
        if (which < 0) return;
        if (target.setPointerCapture) target.setPointerCapture(event.pointerId);
        press(which, true, "pointer" + event.pointerId);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
        target.addEventListener(end, (event) => press(0, false, "pointer" + event.pointerId));
    target.addEventListener("contextmenu", (event) => event.preventDefault());
}

function columnAt(event) {
    const first = sight.lights[ROWS].getBoundingClientRect(); // a cell of column a
    const second = sight.lights[2 * ROWS].getBoundingClientRect();
    const column = Math.floor((event.clientX - (first.left + first.width / 2)) / (second.left - first.left) + 0.5);
    return column >= 0 && column < FREE ? column : -1;
}

function focused() {
    return sight.buttons.indexOf(document.activeElement);
}

function keyButton(event) {
    if (/^[1-7]$/.test(event.key)) return Number(event.key) - 1;
    if (event.key === "p") return POP;
    if (event.key === "Enter" || event.key === " ") {
        if (document.activeElement === element("pop")) return POP;
        return focused();
    }
    return -1;
}

function typing(event) {
    return event.target.matches("input, pre, summary, a, form button") || event.ctrlKey || event.altKey || event.metaKey;
}

function onKeyDown(event) {
    if (!worker || typing(event)) return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
        const at = focused() < 0 ? 3 : focused() + (event.key === "ArrowRight" ? 1 : -1);
        sight.buttons[Math.min(FREE - 1, Math.max(0, at))].focus();
        event.preventDefault();
        return;
    }
    if (event.key === "P") {
        if (!event.repeat) {
            press(POP, true, "hold");
            setTimeout(() => press(POP, false, "hold"), HOLD_MS);
        }
        return;
    }
    if (event.key === "r" || event.key === "R") {
        worker.postMessage({ read: true });
        return;
    }
    const button = keyButton(event);
    if (button < 0) return;
    event.preventDefault(); // no click of the focused button besides
    if (!event.repeat) press(button, true, "key" + event.code);
}

// Showing

// A frame's values are linear light; what is lit shines through the light grey of its pocket.
function light(red, green, blue, full) {
    const value = (channel) => Math.round(255 - (255 - UNLIT) * (1 - Math.min(1, channel / full) ** (1 / 2.2)));
    return [value(red), value(green), value(blue)];
}

function mixed([red, green, blue], white, alpha) {
    const towards = (channel) => Math.round(channel + (255 - channel) * white);
    return `rgb(${towards(red)} ${towards(green)} ${towards(blue)} / ${alpha})`;
}

function showFrame(hex) {
    const full = state ? state.full : 255;
    for (let cell = 0; cell < COLUMNS * ROWS; cell++) {
        const text = hex.substr(6 * cell, 6);
        const shown = sight.lights[cell];
        if (shown.wire === text + full) continue;
        shown.wire = text + full;
        const level = parseInt(text, 16);
        shown.classList.toggle("lit", level > 0);
        if (!level) continue;
        const colour = light(level >> 16, (level >> 8) & 255, level & 255, full);
        const strength = Math.max(...colour) / 255;
        shown.style.setProperty("--light", mixed(colour, 0, 1));
        shown.style.setProperty("--core", mixed(colour, 0.25 * strength, 1));
        shown.style.setProperty("--edge", mixed(colour.map((channel) => channel * 0.75), 0, 1));
        shown.style.setProperty("--glow", mixed(colour, 0, (0.65 * strength).toFixed(2)));
    }
    element("board").dataset.frame = hex;
}

function showHover() {
    const at = focused() >= 0 && pointer < 0 ? focused() : pointer;
    sight.hovers.forEach((shown, column) => {
        shown.classList.toggle("shown", Boolean(state) && column === at && state.hover.includes(column));
    });
}

function showState(told) {
    const before = state;
    state = told;
    const title = told.dark ? "The board sleeps. Any press wakes it." : told.title;
    // A status is read aloud when it changes; whose turn it is goes without saying after every move.
    if (element("title").textContent !== title) {
        element("title").setAttribute("aria-live", told.scene === "play" ? "off" : "polite");
        element("title").textContent = title;
    }
    told.labels.forEach((label, column) => {
        sight.labels[column].textContent = label;
        sight.labels[column].parentElement.classList.toggle("lit", told.lit === column);
        sight.buttons[column].setAttribute("aria-label", label ? `${LETTERS[column]}: ${label}` : `column ${LETTERS[column]}`);
    });
    element("pop").firstElementChild.textContent = told.pop;
    if (told.disc) element("hover").style.setProperty("--disc", mixed(light(...told.disc, told.full), 0, 1));
    showHover();
    document.body.dataset.scene = told.scene;
    document.body.dataset.ready = told.ready;
    document.body.dataset.thinking = told.thinking;
    if (!before || before.scene !== told.scene) document.body.dispatchEvent(new Event("scene"));
}

function showLine(text, spoken) {
    const log = element("log");
    log.append(text + "\n");
    while (log.childNodes.length > LOG_LINES) log.firstChild.remove();
    log.scrollTop = log.scrollHeight;
    if (document.body.dataset.started) announce(spoken);
}

function refused(button) {
    const shown = button === POP ? element("pop") : sight.buttons[button];
    shown.classList.remove("refused");
    void shown.offsetWidth; // so that the flash begins anew
    shown.classList.add("refused");
    announce(button === POP ? "Pop is not possible now." : `Column ${LETTERS[button]} is not possible now.`);
}

function build() {
    for (let row = ROWS - 1; row >= 0; row--)
        for (let column = 0; column < COLUMNS; column++) {
            const shown = document.createElement("i");
            sight.lights[ROWS * column + row] = shown;
            element("board").append(shown);
        }
    for (let column = -1; column <= FREE; column++) {
        const shown = document.createElement("i");
        element("hover").append(shown);
        if (column >= 0 && column < FREE) sight.hovers.push(shown);
    }
    for (let column = 0; column < FREE; column++) {
        const holder = document.createElement("div");
        const button = document.createElement("button");
        const label = document.createElement("small");
        button.type = "button";
        button.textContent = LETTERS[column];
        button.setAttribute("aria-keyshortcuts", String(column + 1));
        label.setAttribute("aria-hidden", "true"); // the button's own name says it
        holder.append(button, label);
        element("columns").append(holder);
        sight.buttons.push(button);
        sight.labels.push(label);
        pressable(button, column);
        button.addEventListener("pointerenter", () => { pointer = column; showHover(); });
        button.addEventListener("pointerleave", () => { pointer = -1; showHover(); });
        button.addEventListener("focus", showHover);
        button.addEventListener("blur", showHover);
    }
    pressable(element("pop"), POP);
    pressable(element("board"), columnAt);
    element("board").addEventListener("pointermove", (event) => { pointer = columnAt(event); showHover(); });
    element("board").addEventListener("pointerleave", () => { pointer = -1; showHover(); });
    // A screen reader clicks without a pointer or a key.
    [...sight.buttons, element("pop")].forEach((button, which) => {
        button.addEventListener("click", (event) => {
            if (event.detail) return;
            press(which, true, "click");
            press(which, false, "click");
        });
    });
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("keyup", (event) => press(0, false, "key" + event.code));
    window.addEventListener("blur", releaseAll);
    document.addEventListener("visibilitychange", () => {
        releaseAll();
        if (worker) worker.postMessage({ hidden: document.hidden });
    });
    element("serial").addEventListener("submit", (event) => {
        event.preventDefault();
        const line = element("line").value.trim();
        element("line").value = "";
        if (line && worker) worker.postMessage({ serial: line });
    });
}

function onMessage({ data }) {
    if (data.frame) showFrame(data.frame);
    else if (data.state) showState(data.state);
    else if ("line" in data) showLine(data.line, data.spoken);
    else if (data.memory) remember(data.memory);
    else if ("refused" in data) refused(data.refused);
    else if (data.read) announce(data.read);
    else if (data.started) {
        element("device").hidden = element("below").hidden = false;
        document.body.dataset.started = "true";
    } else if (data.fault) {
        worker.terminate();
        worker = null;
        fault(`The board has stopped: ${data.fault}. Load the page again; your game is kept.`);
    }
}

function start() {
    if (typeof WebAssembly !== "object" || typeof WebAssembly.instantiate !== "function") {
        fault(`This browser has no WebAssembly, which the board needs. ${REMEDY}`);
        return;
    }
    if (typeof Worker !== "function") {
        fault(`This browser has no Web Workers, which the board needs. ${REMEDY}`);
        return;
    }
    if (location.protocol === "file:") {
        fault("A page that is opened as a file may not start the board: run python3 -m tools web, and open what it names.");
        return;
    }
    build();
    worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = onMessage;
    worker.onerror = (event) => {
        event.preventDefault();
        fault(`The board did not start (${event.message || "its files did not load"}). Load the page again. ${REMEDY}`);
        worker = null;
    };
    worker.postMessage({ begin: remembered() });
}

start();

// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// The board: MicroPython for WebAssembly with the firmware in it, in a thread of its own, so that thought never holds
// up the page. Takes {begin: memory} once, then {press: [button, down]}, {serial: text}, {read: true}, {hidden: bool};
// tells {frame}, {line, spoken}, {state}, {memory}, {refused}, {read}, {started: true}, or {fault: text} and ends.
import { loadMicroPython } from "./micropython.mjs";

const HEAP_BYTES = 8 * 1024 * 1024;
const HIDDEN_MS = 250; // rest while nobody looks
const tell = (message) => self.postMessage(message);
const soon = new MessageChannel(); // quicker than a timer, which browsers hold back

let python = null;
let hidden = false;
let started = false;

function fault(error) {
    tell({ fault: String((error && error.message) || error).trim().split("\n").pop() });
}

async function load(memory) {
    const answer = await fetch("files.json");
    if (!answer.ok) throw new Error(`files.json: ${answer.status} ${answer.statusText}`);
    const files = await answer.json();
    const mp = await loadMicroPython({ heapsize: HEAP_BYTES, linebuffer: true, stdout: (line) => console.log(line) });
    for (const [path, content] of Object.entries(files)) {
        const folders = path.split("/").slice(1, -1);
        let at = "";
        for (const folder of folders) {
            at += "/" + folder;
            if (!mp.FS.analyzePath(at).exists) mp.FS.mkdir(at);
        }
        mp.FS.writeFile(path, Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0)));
    }
    mp.registerJsModule("host", {
        now_ms: () => Math.floor(performance.now()),
        frame: (hex) => tell({ frame: hex }),
        line: (text, spoken) => tell({ line: text, spoken }),
        state: (text) => tell({ state: JSON.parse(text) }),
        memory: (hex) => tell({ memory: hex }),
        refused: (button) => tell({ refused: button }),
    });
    mp.runPython("from guest import *");
    const named = (name) => mp.globals.get(name);
    python = {
        begin: named("begin"),
        turn: named("turn"),
        press: named("press"),
        serial: named("serial"),
        read: named("read"),
    };
    python.begin(memory);
}

function turn() {
    try {
        const rest = python.turn();
        if (!started) {
            started = true;
            tell({ started: true });
        }
        if (hidden) setTimeout(turn, HIDDEN_MS);
        else if (rest > 1) setTimeout(turn, rest);
        else soon.port2.postMessage(0);
    } catch (error) {
        fault(error);
    }
}
soon.port1.onmessage = turn;

self.onmessage = ({ data }) => {
    if ("begin" in data) {
        load(data.begin).then(turn, fault);
        return;
    }
    if ("hidden" in data) {
        hidden = data.hidden;
        return;
    }
    if (!python) return;
    try {
        if (data.press) python.press(data.press[0], data.press[1]);
        else if ("serial" in data) python.serial(data.serial);
        else if (data.read) tell({ read: python.read() });
    } catch (error) {
        fault(error);
    }
};

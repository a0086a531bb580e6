// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// Runs Python texts in the 32-bit MicroPython for WebAssembly. Reads one JSON object from standard input:
//   module   path of micropython.mjs          heap      bytes of heap at the start
//   trees    [[host folder, guest folder] …]  files     {guest path: text}
//   parts    [text | {repeat: text, while: name, limit: n} …]
// and writes one: {outputs: [text of each part …], error: null | traceback, part: index of the part that raised}.
// Every part is a fresh call from JavaScript: only between such calls does this build's collector free anything.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const job = JSON.parse(fs.readFileSync(0, "utf8"));
const { loadMicroPython } = await import(pathToFileURL(job.module).href);

let bytes = [];
const mp = await loadMicroPython({ heapsize: job.heap, linebuffer: false, stdout: (data) => bytes.push(Buffer.from(data)) });

function makeFolder(guest) {
    let at = "";
    for (const name of guest.split("/").filter(Boolean)) {
        at += "/" + name;
        if (!mp.FS.analyzePath(at).exists) mp.FS.mkdir(at);
    }
}

function copyTree(host, guest) {
    makeFolder(guest);
    for (const entry of fs.readdirSync(host, { withFileTypes: true })) {
        if (entry.name === "__pycache__" || entry.name.startsWith(".")) continue;
        const from = path.join(host, entry.name);
        const to = guest + "/" + entry.name;
        if (entry.isDirectory()) copyTree(from, to);
        else mp.FS.writeFile(to, fs.readFileSync(from));
    }
}

for (const [host, guest] of job.trees) copyTree(host, guest);
for (const [guest, text] of Object.entries(job.files)) {
    makeFolder(path.posix.dirname(guest));
    mp.FS.writeFile(guest, text);
}

const answer = { outputs: [], error: null, part: -1 };
for (const [index, part] of job.parts.entries()) {
    bytes = [];
    try {
        if (typeof part === "string") {
            mp.runPython(part);
        } else {
            for (let n = 0; mp.globals.get(part.while); n++) {
                if (n >= part.limit) throw new Error(`still '${part.while}' after ${part.limit} calls`);
                mp.runPython(part.repeat);
            }
        }
    } catch (error) {
        answer.error = String(error.message);
        answer.part = index;
    }
    answer.outputs.push(Buffer.concat(bytes).toString("utf8"));
    if (answer.error !== null) break;
}
fs.writeFileSync(1, JSON.stringify(answer));
process.exit(0);

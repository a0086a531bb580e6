// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// node runner.mjs OPTIONS   (one JSON object)   runs one Chip for the program that started it (board.py).
// A request is a line of JSON on standard input, {"do": NAME, …}; its answer the next line {"done": …} on standard
// output. What happens in between comes before the answer, a line each:
//   {"frame": [pin, start_ns, end_ns, bytes in hex, loose bits, longest 0 in ns, shortest 1 in ns]}
//   {"serial": [port, ns, bytes in hex]}   {"edges": [[pin, level, ns], …]}   {"note": [ns, text]}   {"usb": ns}
import fs from 'node:fs';
import readline from 'node:readline';
import { Chip, FLASH_BYTES } from './chip.mjs';

const options = JSON.parse(process.argv[2]);
const lines = [];
let edges = [];
let stopOn = [];
let stopped = false;

function tell(kind, value) {
  lines.push(JSON.stringify({ [kind]: value }));
  if (stopOn.includes(kind)) stopped = true;
}

function flush() {
  if (edges.length) lines.push(JSON.stringify({ edges }));
  edges = [];
  if (lines.length) fs.writeSync(1, lines.splice(0).join('\n') + '\n');
}

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const romFile = fs.readFileSync(options.bootrom);
const chip = new Chip({
  rom: new Uint32Array(romFile.buffer.slice(romFile.byteOffset, romFile.byteOffset + romFile.length)),
  flash: fs.readFileSync(options.flash),
  xipMissCycles: options.xipMissCycles,
  massStorage: options.massStorage,
  on: {
    frame: (pin, f) => tell('frame', [pin, f.startNs, f.endNs, hex(f.bytes), f.looseBits, f.shortNs, f.longNs]),
    serial: (port, bytes) => tell('serial', [port, chip.ns, hex(bytes)]),
    edge: (pin, level, ns) => edges.push([pin, level, ns]),
    note: (text) => tell('note', [chip.ns, text]),
    usb: () => tell('usb', chip.ns),
  },
});
for (const pin of options.pixels) chip.addPixels(pin);
for (const pin of options.watch) chip.watch(pin);

const requests = {
  // Run to `ns` since power-on, for at most `real_ms` of the computer's time; `stop_on`: kinds of events that end it.
  run({ ns, real_ms: realMs, stop_on: kinds }) {
    stopOn = kinds ?? [];
    stopped = false;
    const until = realMs ? Date.now() + realMs : Infinity;
    let asked = 0;
    chip.run(ns, () => stopped || (++asked % 64 === 0 && Date.now() > until));
    return chip.ns;
  },
  // Levels of pins at their times: [[pin, level (null: not driven), ns], …]
  pins({ changes }) {
    for (const [pin, level, ns] of changes) {
      const value = level === null ? undefined : !!level;
      if (ns <= chip.ns) chip.setPin(pin, value);
      else chip.at(ns, () => chip.setPin(pin, value));
    }
    return changes.length;
  },
  serial({ port, bytes, ns }) {
    const data = Buffer.from(bytes, 'hex');
    if (ns === undefined || ns <= chip.ns) chip.host.send(port, data);
    else chip.at(ns, () => chip.host.send(port, data));
    return data.length;
  },
  flash({ start, end }) {
    return hex(chip.mcu.flash.subarray(start, Math.min(end, FLASH_BYTES)));
  },
  reset() {
    chip.restart();
    return chip.ns;
  },
  counts() {
    const { stats } = chip.cpu;
    const instructions = chip.counts.instructions + stats.instructions;
    return { ...chip.counts, ...stats, instructions };
  },
};

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const request = JSON.parse(line);
  const done = requests[request.do](request);
  flush();
  fs.writeSync(1, JSON.stringify({ done }) + '\n');
});

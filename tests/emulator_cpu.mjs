// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// node emulator_cpu.mjs COUNT SEED: COUNT random instructions, each carried out by tools/emulator/cpu.mjs and by
// rp2040js from the same state; prints what differs, then the number of instructions by which of the two did them.
const root = new URL('../tools/', import.meta.url);
const inside = new URL('node_modules/rp2040js/dist/esm/', root);
const { RP2040 } = await import(new URL('index.js', inside));
const { SimulationClock } = await import(new URL('clock/simulation-clock.js', inside));
const { makeCpu } = await import(new URL('emulator/cpu.mjs', root));

const CODE = 0x20010000;
let lot = Number(process.argv[3]) >>> 0 || 1;

function draw() { // xorshift32
  lot ^= lot << 13;
  lot ^= lot >>> 17;
  lot ^= lot << 5;
  return (lot >>>= 0);
}

function makeChip() {
  const mcu = new RP2040(new SimulationClock());
  const silent = () => {};
  mcu.logger = { debug: silent, info: silent, warn: silent, error: silent };
  return mcu;
}

const ours = makeChip();
const theirs = makeChip();
const control = { reset: false };
const cpu = makeCpu(ours, 0, () => -1);
let native = 0;
const execute = ours.core.executeInstruction.bind(ours.core);
ours.core.executeInstruction = () => {
  native++;
  return execute();
};

// Instructions that stop the core, call the debugger or are not there on it.
function isUsual(opcode) {
  if (opcode >>> 8 === 0xbe || opcode >>> 8 === 0xbf || opcode >>> 8 === 0xb6 || opcode >>> 9 === 0x6f) return false;
  if (opcode === 0x47f0) return false; // BLX LR: rp2040js overwrites LR before it goes there
  if (opcode >>> 11 === 0x1d || opcode >>> 11 === 0x1f) return false; // 32 bits, but BL
  return opcode >>> 8 !== 0xb1 && opcode >>> 8 !== 0xb3 && opcode >>> 8 !== 0xb8 && opcode >>> 8 !== 0xb9;
}

function isMemory(opcode) {
  const top = opcode >>> 12;
  return (top >= 5 && top <= 9) || top === 0xc || opcode >>> 11 === 9 || opcode >>> 9 === 0x5a || opcode >>> 9 === 0x5e;
}

const EDGES = [0, 1, 2, 31, 32, 33, 255, 0x7fffffff, 0x80000000, 0xffffffff];

function compare() {
  let opcode = draw() & 0xffff;
  while (!isUsual(opcode)) opcode = draw() & 0xffff;
  const second = opcode >>> 11 === 0x1e ? 0xd000 | (draw() & 0x2fff) | 0x1000 : draw() & 0x3fff;
  const registers = [];
  for (let i = 0; i < 13; i++) {
    if (isMemory(opcode)) registers.push(i & 1 ? 0x20000000 + (draw() & 0xfffc) + 0x8000 : draw() & 0x3fc);
    else registers.push(draw() & 1 ? draw() : EDGES[draw() % EDGES.length]);
  }
  if (isMemory(opcode) && draw() & 1) for (let i = 0; i < 13; i += 2) registers[i] = 0x20000000 + (draw() & 0xfffc);
  registers.push(0x20020000 + (draw() & 0xfffc), draw() & 0x2003ffff, CODE);
  const flags = draw() & 15;
  for (const mcu of [ours, theirs]) {
    mcu.core.registers.set(registers);
    mcu.core.N = !!(flags & 1);
    mcu.core.Z = !!(flags & 2);
    mcu.core.C = !!(flags & 4);
    mcu.core.V = !!(flags & 8);
    mcu.core.cycles = 0;
    mcu.core.interruptsUpdated = false;
    mcu.sramView.setUint16(CODE - 0x20000000, opcode, true);
    mcu.sramView.setUint16(CODE - 0x20000000 + 2, second, true);
  }
  cpu.burst(Infinity, 1, control, () => {});
  theirs.core.executeInstruction();
  const state = ({ core }) => JSON.stringify([[...core.registers], core.N, core.Z, core.C, core.V, core.cycles]);
  if (state(ours) !== state(theirs)) {
    console.log(`opcode ${opcode.toString(16)} ${second.toString(16)} from ${registers}: ${state(ours)}, not ${state(theirs)}`);
    return false;
  }
  return true;
}

for (let i = 0; i < ours.sram.length / 4; i++) {
  const word = draw() & 0x2003fffe;
  ours.sramView.setUint32(4 * i, word, true);
  theirs.sramView.setUint32(4 * i, word, true);
}
const count = Number(process.argv[2]);
let wrong = 0;
for (let i = 0; i < count && wrong < 10; i++) if (!compare()) wrong++;
if (Buffer.compare(Buffer.from(ours.sram), Buffer.from(theirs.sram))) {
  console.log('the memories differ');
  wrong++;
}
console.log(`instructions: ${count} wrong: ${wrong} left to rp2040js: ${native}`);

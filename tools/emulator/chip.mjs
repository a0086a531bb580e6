// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// A Raspberry Pi Pico in virtual time: rp2040js with what CircuitPython needs and it lacks.
//   - The PIO runs in step with the core (rp2040js runs it from the computer's own timers).
//   - Inputs follow the pads' pull-ups and pull-downs when nothing outside drives them.
//   - The boot ROM's flash calls erase and program, and take the time that the flash's data sheet gives.
//   - Instructions and constants come from the flash through a cache whose misses cost time.
//   - A reset by the watchdog starts the chip again and keeps what a real one keeps.
import { RP2040, GPIOPinState } from 'rp2040js';
import { makeCpu, NS_PER_CYCLE } from './cpu.mjs';
import { UsbHost } from './usb_host.mjs';
import { Ws2812Decoder } from './ws2812.mjs';

const inside = new URL('../node_modules/rp2040js/dist/esm/', import.meta.url);
const { SimulationClock } = await import(new URL('clock/simulation-clock.js', inside));
const { GPIOPin } = await import(new URL('gpio-pin.js', inside));
const { RPPIO } = await import(new URL('peripherals/pio.js', inside));

export const FLASH_BYTES = 2 * 1024 * 1024;
const FLASH_START = 0x10000000;
const ROM_BYTES = 0x4000;
const WATCHDOG = 0x40058;
const ERASE_MS = 45; // a sector of 4 KB
const PROGRAM_MS = 0.4; // a page of 256 bytes
const CYCLES_PER_MS = 1e6 / NS_PER_CYCLE;
const BURST = 4096; // instructions between two looks at the world outside
const SLEEP_NS = 1e6; // of a core that waits for an interrupt, at most, at a time
const PIO_SLEEP_NS = 1000; // the same while a PIO is at work

RPPIO.prototype.run = function () {};

Object.defineProperty(GPIOPin.prototype, 'inputValue', {
  get() {
    if (this.name !== String(this.index)) return this.outside ?? true; // the flash's pins: BOOTSEL is not pressed
    let level;
    if (this.outside !== undefined) level = this.outside;
    else if (this.outputEnable) level = !!this.outputValue;
    else if (this.pullupEnabled) level = true;
    else if (this.pulldownEnabled) level = false;
    else level = this.rawInputValue;
    return level && this.inputEnable;
  },
});

// Address of a function of the boot ROM by its two letters (RP2040 data sheet, 2.8.3); -1 if it has none.
function romFunction(rom, name) {
  const bytes = new Uint8Array(rom.buffer, rom.byteOffset, rom.byteLength);
  const code = name.charCodeAt(0) | (name.charCodeAt(1) << 8);
  for (let at = bytes[0x14] | (bytes[0x15] << 8); at < bytes.length - 4; at += 4) {
    const here = bytes[at] | (bytes[at + 1] << 8);
    if (!here) break;
    if (here === code) return (bytes[at + 2] | (bytes[at + 3] << 8)) & ~1;
  }
  return -1;
}

export class Chip {
  // rom: Uint32Array, the 16 KB boot ROM; flash: Uint8Array of FLASH_BYTES, as it is at power-on.
  // on: {frame(pin, frame), serial(port, bytes), edge(pin, level, ns), note(text), usb()}; times are ns since power-on.
  constructor({ rom, flash, xipMissCycles = 112, massStorage = false, on = {} }) {
    Object.assign(this, { rom, xipMissCycles, on });
    this.flash = new Uint8Array(16 * 1024 * 1024).fill(0xff);
    this.flash.set(flash);
    this.host = new UsbHost(this, massStorage);
    this.outside = new Map(); // pin -> level that the world gives it
    this.pixels = new Map(); // pin -> decoder
    this.watched = new Set(); // pins whose edges are told
    this.timers = []; // {ns, action}, the soonest first
    this.beforeNs = 0; // time of the starts before this one
    this.pioNs = null; // while a PIO's instruction is carried out: its own time
    this.control = { reset: false };
    this.counts = { erases: 0, programs: 0, resets: 0, instructions: 0 };
    this.start(null);
  }

  get ns() {
    return this.clock.nanosCounter + this.beforeNs;
  }

  // Power-on, or with the chip as it was a reset.
  start(before) {
    const clock = (this.clock = new SimulationClock());
    const mcu = (this.mcu = new RP2040(clock));
    const silent = () => {};
    mcu.logger = { debug: silent, info: silent, warn: silent, error: silent };
    mcu.loadBootrom(this.rom);
    mcu.flash.set(this.flash);
    const watchdog = mcu.peripherals[WATCHDOG];
    if (before) {
      mcu.sram.set(before.sram);
      watchdog.scratchData.set(before.peripherals[WATCHDOG].scratchData);
      watchdog.reason = before.peripherals[WATCHDOG].reason;
    }
    this.control.reset = false;
    watchdog.onWatchdogTrigger = () => (this.control.reset = true);
    this.calls = this.romCalls();
    this.cpu = makeCpu(mcu, this.xipMissCycles, (pc) => this.romCall(pc));
    for (const pio of mcu.pio) for (const machine of pio.machines) Object.assign(machine, { dueNs: 0, ran: false });
    this.host.attach(mcu.usbCtrl);
    for (const [pin, level] of this.outside) mcu.gpio[pin].outside = mcu.gpio[pin].rawInputValue = level;
    for (const pin of this.pixels.keys()) this.listenToPixels(pin);
    for (const pin of this.watched) this.listenToEdges(pin);
    mcu.core.PC = FLASH_START;
    this.stepPio = () => this.runPio();
  }

  restart() {
    this.counts.resets++;
    this.counts.instructions += this.cpu.stats.instructions;
    this.flash.set(this.mcu.flash.subarray(0, FLASH_BYTES));
    this.beforeNs += this.clock.nanosCounter;
    this.start(this.mcu);
  }

  romCalls() {
    const { mcu, counts } = this;
    const calls = new Map();
    const put = (name, call) => {
      const address = romFunction(this.rom, name);
      if (address >= 0) calls.set(address, call);
    };
    put('RE', (offset, bytes) => {
      mcu.flash.fill(0xff, offset, offset + bytes);
      counts.erases += bytes / 4096;
      return Math.ceil(bytes / 4096) * ERASE_MS * CYCLES_PER_MS;
    });
    put('RP', (offset, source, bytes) => {
      for (let i = 0; i < bytes; i++) mcu.flash[offset + i] &= mcu.readUint8(source + i);
      counts.programs += Math.ceil(bytes / 256);
      return Math.ceil(bytes / 256) * PROGRAM_MS * CYCLES_PER_MS;
    });
    put('FC', () => {
      this.cpu.flushCache();
      return 1100;
    });
    for (const name of ['IF', 'EX', 'CX']) put(name, () => 100);
    put('UB', () => {
      this.on.note?.('the firmware has asked for its bootloader (BOOTSEL)');
      return 100;
    });
    return calls;
  }

  // Cycles of a call of the boot ROM that is carried out here, else -1.
  romCall(pc) {
    const call = this.calls.get(pc);
    if (!call || pc >= ROM_BYTES) return -1;
    const { registers } = this.mcu.core;
    const cycles = call(registers[0], registers[1], registers[2]);
    this.mcu.core.PC = registers[14] & ~1;
    return cycles;
  }

  // Bring the state machines of both PIOs up to the core's time.
  runPio() {
    const now = this.clock.nanosCounter;
    for (const pio of this.mcu.pio) {
      for (const machine of pio.machines) {
        if (pio.stopped || !machine.enabled) {
          machine.ran = false;
          continue;
        }
        if (!machine.ran) {
          machine.ran = true;
          machine.dueNs = now;
        }
        while (machine.dueNs <= now && machine.enabled) {
          const periodNs = ((machine.clockDivInt || 65536) + machine.clockDivFrac / 256) * NS_PER_CYCLE;
          const before = machine.cycles;
          this.pioNs = machine.dueNs + this.beforeNs;
          if (machine.waiting) {
            machine.checkWait();
            if (machine.waiting) {
              // Nothing changes it but the core: to the first of its own instants after now.
              machine.dueNs += Math.max(1, Math.floor((now - machine.dueNs) / periodNs) + 1) * periodNs;
              continue;
            }
            // The instruction that waited was counted when it was issued; its delay follows.
            machine.dueNs += (machine.cycles - before) * periodNs;
          } else {
            machine.step();
            machine.dueNs += Math.max(1, machine.cycles - before) * periodNs;
          }
          pio.checkChangedPins();
        }
      }
    }
    this.pioNs = null;
  }

  // The world outside

  // level: true, false, or undefined for a pin that nothing drives.
  setPin(pin, level) {
    this.outside.set(pin, level);
    const gpio = this.mcu.gpio[pin];
    gpio.outside = level;
    gpio.setInputValue(gpio.inputValue);
  }

  // action() is called at `ns`, or at once if that has passed.
  at(ns, action) {
    let place = this.timers.length;
    while (place && this.timers[place - 1].ns > ns) place--;
    this.timers.splice(place, 0, { ns, action });
  }

  addPixels(pin) {
    this.pixels.set(pin, new Ws2812Decoder((frame) => this.on.frame?.(pin, frame)));
    this.listenToPixels(pin);
  }

  listenToPixels(pin) {
    const decoder = this.pixels.get(pin);
    this.mcu.gpio[pin].addListener((state) => {
      decoder.edge(this.pioNs ?? this.ns, state === GPIOPinState.High ? 1 : 0);
    });
  }

  watch(pin) {
    this.watched.add(pin);
    this.listenToEdges(pin);
  }

  listenToEdges(pin) {
    let last = -1;
    this.mcu.gpio[pin].addListener((state) => {
      const level = state === GPIOPinState.High ? 1 : 0;
      if (level !== last) this.on.edge?.(pin, (last = level), this.ns);
    });
  }

  // Run until `untilNs` since power-on, or until stop() is true, which is asked a few thousand times a second.
  run(untilNs, stop) {
    const { control } = this;
    while (this.ns < untilNs && !stop()) {
      while (this.timers.length && this.timers[0].ns <= this.ns) this.timers.shift().action();
      const { clock, mcu, beforeNs } = this;
      let endNs = untilNs - beforeNs;
      if (this.timers.length) endNs = Math.min(endNs, Math.max(clock.nanosCounter + 1, this.timers[0].ns - beforeNs));
      if (mcu.core.waiting) this.sleep(endNs);
      else this.cpu.burst(endNs, BURST, control, this.stepPio);
      for (const decoder of this.pixels.values()) decoder.check(this.ns);
      if (control.reset) this.restart();
    }
  }

  // The core waits for an interrupt: time goes to the next thing that happens.
  sleep(endNs) {
    const { clock, mcu } = this;
    const { core } = mcu;
    const busy = !mcu.pio[0].stopped || !mcu.pio[1].stopped;
    let ns = clock.nextAlarm ? clock.nanosToNextAlarm : SLEEP_NS;
    ns = Math.max(0, Math.min(ns, endNs - clock.nanosCounter, busy ? PIO_SLEEP_NS : Infinity));
    clock.tick(ns || NS_PER_CYCLE);
    if (busy) this.runPio();
    if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
  }
}

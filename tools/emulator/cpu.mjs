// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// The instructions of the RP2040's Cortex-M0+, run in a loop that a JavaScript engine compiles well. What it does and
// how many cycles it counts is rp2040js's own (cortex-m0-core.js): the rare instructions and all interrupts are left to
// it, and tests/test_emulator_cpu.py holds the two against each other. It is here for speed alone: decoding by one
// table and memory by typed arrays run a virtual second several times as fast.

export const NS_PER_CYCLE = 8; // 125 MHz

// What an instruction is, by its 16 bits: an index of the switch in `burst`. 0: left to rp2040js.
const FORMS = [
  // [mask, value, kind]; of several that match, the last one counts
  [0xf800, 0x0000, 1], // LSLS Rd, Rm, #imm5
  [0xf800, 0x0800, 2], // LSRS
  [0xf800, 0x1000, 3], // ASRS
  [0xfe00, 0x1800, 4], // ADDS Rd, Rn, Rm
  [0xfe00, 0x1a00, 5], // SUBS Rd, Rn, Rm
  [0xfe00, 0x1c00, 6], // ADDS Rd, Rn, #imm3
  [0xfe00, 0x1e00, 7], // SUBS Rd, Rn, #imm3
  [0xf800, 0x2000, 8], // MOVS Rd, #imm8
  [0xf800, 0x2800, 9], // CMP Rn, #imm8
  [0xf800, 0x3000, 10], // ADDS Rdn, #imm8
  [0xf800, 0x3800, 11], // SUBS Rdn, #imm8
  [0xffc0, 0x4000, 12], // ANDS
  [0xffc0, 0x4040, 13], // EORS
  [0xffc0, 0x4080, 14], // LSLS (register)
  [0xffc0, 0x40c0, 15], // LSRS (register)
  [0xffc0, 0x4100, 16], // ASRS (register)
  [0xffc0, 0x4200, 17], // TST
  [0xffc0, 0x4240, 18], // NEGS
  [0xffc0, 0x4280, 19], // CMP (low registers)
  [0xffc0, 0x4300, 20], // ORRS
  [0xffc0, 0x4340, 21], // MULS
  [0xffc0, 0x4380, 22], // BICS
  [0xffc0, 0x43c0, 23], // MVNS
  [0xff00, 0x4400, 24], // ADD (high registers)
  [0xff00, 0x4500, 25], // CMP (high registers)
  [0xff00, 0x4600, 26], // MOV
  [0xff87, 0x4700, 27], // BX
  [0xff87, 0x4780, 28], // BLX
  [0xf800, 0x4800, 29], // LDR Rt, [PC, #imm8]
  [0xfe00, 0x5000, 30], // STR (register)
  [0xfe00, 0x5200, 31], // STRH (register)
  [0xfe00, 0x5400, 32], // STRB (register)
  [0xfe00, 0x5600, 33], // LDRSB
  [0xfe00, 0x5800, 34], // LDR (register)
  [0xfe00, 0x5a00, 35], // LDRH (register)
  [0xfe00, 0x5c00, 36], // LDRB (register)
  [0xfe00, 0x5e00, 37], // LDRSH
  [0xf800, 0x6000, 38], // STR Rt, [Rn, #imm5]
  [0xf800, 0x6800, 39], // LDR
  [0xf800, 0x7000, 40], // STRB
  [0xf800, 0x7800, 41], // LDRB
  [0xf800, 0x8000, 42], // STRH
  [0xf800, 0x8800, 43], // LDRH
  [0xf800, 0x9000, 44], // STR Rt, [SP, #imm8]
  [0xf800, 0x9800, 45], // LDR Rt, [SP, #imm8]
  [0xf800, 0xa000, 46], // ADR
  [0xf800, 0xa800, 47], // ADD Rd, SP, #imm8
  [0xff80, 0xb000, 48], // ADD SP, #imm7
  [0xff80, 0xb080, 49], // SUB SP, #imm7
  [0xffc0, 0xb200, 50], // SXTH
  [0xffc0, 0xb240, 51], // SXTB
  [0xffc0, 0xb280, 52], // UXTH
  [0xffc0, 0xb2c0, 53], // UXTB
  [0xfe00, 0xb400, 54], // PUSH
  [0xfe00, 0xbc00, 55], // POP
  [0xf000, 0xd000, 56], // B<cond>
  [0xfe00, 0xde00, 0], // UDF, SVC
  [0xf800, 0xe000, 57], // B
  [0xf800, 0xf000, 58], // BL, if its second half says so
  [0xf800, 0xc000, 59], // STMIA
  [0xf800, 0xc800, 60], // LDMIA
];

function kinds() {
  const table = new Uint8Array(65536);
  for (let opcode = 0; opcode < 65536; opcode++)
    for (const [mask, value, kind] of FORMS) if ((opcode & mask) === value) table[opcode] = kind;
  return table;
}

// Run instructions of `mcu` (an RP2040 with a SimulationClock).
//
// xipMissCycles: what a miss of the flash cache costs; the cache has 2 ways of 1024 lines of 8 bytes. 0: none is kept.
// romCall(pc): called before an instruction in the boot ROM; cycles >= 0 if it did the whole call itself, else -1.
// Returns {burst, flushCache, stats}.
export function makeCpu(mcu, xipMissCycles, romCall) {
  const { core, clock } = mcu;
  const [pio0, pio1] = mcu.pio;
  const registers = core.registers;
  const ram8 = mcu.sram;
  const ram16 = new Uint16Array(ram8.buffer);
  const ram32 = new Uint32Array(ram8.buffer);
  const ramBytes = ram8.length;
  const flash8 = mcu.flash;
  const flash16 = mcu.flash16;
  const flash32 = new Uint32Array(flash8.buffer);
  const kind = kinds();
  const stats = { instructions: 0, cacheAccesses: 0, cacheMisses: 0 };

  const tags = new Int32Array(2048).fill(-1); // of line n: ways at 2n and 2n + 1
  const oldest = new Uint8Array(1024);
  let lastLine = -1;
  let penalty = 0;

  function touch(address) {
    const line = (address & 0xffffff) >>> 3;
    if (line === lastLine || !xipMissCycles) return;
    lastLine = line;
    stats.cacheAccesses++;
    const set = line & 1023;
    const tag = line >>> 10;
    if (tags[2 * set] === tag) {
      oldest[set] = 1;
      return;
    }
    if (tags[2 * set + 1] === tag) {
      oldest[set] = 0;
      return;
    }
    stats.cacheMisses++;
    penalty += xipMissCycles;
    tags[2 * set + oldest[set]] = tag;
    oldest[set] ^= 1;
  }

  function flushCache() {
    tags.fill(-1);
    lastLine = -1;
  }

  function read32(address) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < ramBytes && (address & 3) === 0) return ram32[offset >>> 2];
    if (address >>> 24 === 0x10 && (address & 3) === 0) {
      touch(address);
      return flash32[(address & 0xffffff) >>> 2];
    }
    return mcu.readUint32(address);
  }

  function read16(address) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < ramBytes && (address & 1) === 0) return ram16[offset >>> 1];
    if (address >>> 24 === 0x10 && (address & 1) === 0) {
      touch(address);
      return flash16[(address & 0xffffff) >>> 1];
    }
    return mcu.readUint16(address);
  }

  function read8(address) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < ramBytes) return ram8[offset];
    if (address >>> 24 === 0x10) {
      touch(address);
      return flash8[address & 0xffffff];
    }
    return mcu.readUint8(address);
  }

  function write32(address, value) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < ramBytes && (address & 3) === 0) ram32[offset >>> 2] = value;
    else mcu.writeUint32(address, value);
  }

  function write16(address, value) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < ramBytes && (address & 1) === 0) ram16[offset >>> 1] = value;
    else mcu.writeUint16(address, value);
  }

  function write8(address, value) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < ramBytes) ram8[offset] = value;
    else mcu.writeUint8(address, value);
  }

  // Cycles of a load or store beyond the first.
  function waits(address, isWrite) {
    const top = address >>> 28;
    return top === 0xd ? 0 : top === 4 ? (isWrite ? 4 : 3) : 1;
  }

  function flagsNZ(result) {
    core.N = (result & 0x80000000) !== 0;
    core.Z = (result | 0) === 0;
  }

  function add(a, b) {
    const sum = a + b;
    const result = sum >>> 0;
    core.N = (result & 0x80000000) !== 0;
    core.Z = result === 0;
    core.C = sum > 0xffffffff;
    core.V = ((a ^ result) & (b ^ result)) < 0;
    return result;
  }

  function subtract(a, b) {
    const result = (a - b) >>> 0;
    core.N = (result & 0x80000000) !== 0;
    core.Z = result === 0;
    core.C = a >= b;
    core.V = ((a ^ b) & (a ^ result)) < 0;
    return result;
  }

  function holds(condition) {
    switch (condition) {
      case 0: return core.Z;
      case 1: return !core.Z;
      case 2: return core.C;
      case 3: return !core.C;
      case 4: return core.N;
      case 5: return !core.N;
      case 6: return core.V;
      case 7: return !core.V;
      case 8: return core.C && !core.Z;
      case 9: return !(core.C && !core.Z);
      case 10: return core.N === core.V;
      case 11: return core.N !== core.V;
      case 12: return core.N === core.V && !core.Z;
      default: return !(core.N === core.V && !core.Z);
    }
  }

  // A return address that is really the end of an exception is rp2040js's.
  function branch(target) {
    if (target >>> 28 === 0xf) core.BXWritePC(target);
    else registers[15] = target & ~1;
  }

  // Run until `endNs` of the clock, the core waits for an interrupt, a reset is asked for (control.reset) or `limit`
  // instructions are done; while a PIO runs, `stepPio` keeps it in step with the core.
  function burst(endNs, limit, control, stepPio) {
    let left = limit;
    while (left-- > 0 && clock.nanosCounter < endNs && !core.waiting && !control.reset) {
      let cycles = 1;
      const pc = registers[15];
      if (core.interruptsUpdated || pc >>> 24 === 0) {
        cycles = pc < 0x4000 ? romCall(pc) : -1;
        if (cycles >= 0) core.cycles += cycles;
        else cycles = core.executeInstruction();
      } else {
        let opcode;
        const offset = (pc - 0x20000000) >>> 0;
        if (pc >>> 24 === 0x10) {
          if ((pc & 0xffffff) >>> 3 !== lastLine) touch(pc);
          opcode = flash16[(pc & 0xffffff) >>> 1];
        } else if (offset < ramBytes) opcode = ram16[offset >>> 1];
        else opcode = mcu.readUint16(pc);
        registers[15] = pc + 2;
        const low = opcode & 7;
        const mid = (opcode >>> 3) & 7;
        const high = (opcode >>> 6) & 7;
        const top = (opcode >>> 8) & 7;
        switch (kind[opcode]) {
          case 1: {
            const shift = (opcode >>> 6) & 31;
            const input = registers[mid];
            const result = input << shift;
            registers[low] = result;
            flagsNZ(result);
            if (shift) core.C = (input & (1 << (32 - shift))) !== 0;
            break;
          }
          case 2: {
            const shift = (opcode >>> 6) & 31;
            const input = registers[mid];
            const result = shift ? input >>> shift : 0;
            registers[low] = result;
            flagsNZ(result);
            core.C = ((input >>> (shift ? shift - 1 : 31)) & 1) !== 0;
            break;
          }
          case 3: {
            const shift = (opcode >>> 6) & 31;
            const input = registers[mid];
            const result = input >> (shift || 31);
            registers[low] = result;
            flagsNZ(result);
            core.C = ((input >>> (shift ? shift - 1 : 31)) & 1) !== 0;
            break;
          }
          case 4: registers[low] = add(registers[mid], registers[high]); break;
          case 5: registers[low] = subtract(registers[mid], registers[high]); break;
          case 6: registers[low] = add(registers[mid], high); break;
          case 7: registers[low] = subtract(registers[mid], high); break;
          case 8:
            registers[top] = opcode & 255;
            core.N = false;
            core.Z = (opcode & 255) === 0;
            break;
          case 9: subtract(registers[top], opcode & 255); break;
          case 10: registers[top] = add(registers[top], opcode & 255); break;
          case 11: registers[top] = subtract(registers[top], opcode & 255); break;
          case 12: flagsNZ((registers[low] = registers[low] & registers[mid])); break;
          case 13: flagsNZ((registers[low] = registers[low] ^ registers[mid])); break;
          case 14: {
            const shift = registers[mid] & 255;
            const input = registers[low];
            const result = shift >= 32 ? 0 : input << shift;
            registers[low] = result;
            flagsNZ(result);
            if (shift) core.C = (input & (1 << (32 - shift))) !== 0;
            break;
          }
          case 15: {
            const shift = registers[mid] & 255;
            const input = registers[low];
            const result = shift < 32 ? input >>> shift : 0;
            registers[low] = result;
            flagsNZ(result);
            core.C = shift <= 32 ? ((input >>> (shift - 1)) & 1) !== 0 : false;
            break;
          }
          case 16: {
            const shift = Math.min(registers[mid] & 255, 32);
            const input = registers[low];
            const result = shift < 32 ? input >> shift : input >> 31;
            registers[low] = result;
            flagsNZ(result);
            core.C = (input & (1 << (shift - 1))) !== 0;
            break;
          }
          case 17: flagsNZ(registers[low] & registers[mid]); break;
          case 18: registers[low] = subtract(0, registers[mid]); break;
          case 19: subtract(registers[low], registers[mid]); break;
          case 20: flagsNZ((registers[low] = registers[low] | registers[mid])); break;
          case 21: flagsNZ((registers[low] = Math.imul(registers[mid], registers[low]))); break;
          case 22: flagsNZ((registers[low] = registers[low] & ~registers[mid])); break;
          case 23: flagsNZ((registers[low] = ~registers[mid])); break;
          case 24: {
            const to = ((opcode >>> 4) & 8) | low;
            const from = (opcode >>> 3) & 15;
            const sum = (to === 15 ? pc + 4 : registers[to]) + (from === 15 ? pc + 4 : registers[from]);
            if (to === 15) {
              registers[15] = sum & ~1;
              cycles = 2;
            } else registers[to] = to === 13 ? sum & ~3 : sum;
            break;
          }
          case 25: subtract(registers[((opcode >>> 4) & 8) | low], registers[(opcode >>> 3) & 15]); break;
          case 26: {
            const to = ((opcode >>> 4) & 8) | low;
            const from = (opcode >>> 3) & 15;
            const value = from === 15 ? pc + 4 : registers[from];
            if (to === 15) {
              registers[15] = value & ~1;
              cycles = 2;
            } else registers[to] = to === 13 ? value & ~3 : value;
            break;
          }
          case 27:
            branch(registers[(opcode >>> 3) & 15]);
            cycles = 2;
            break;
          case 28: {
            const target = registers[(opcode >>> 3) & 15];
            registers[14] = (pc + 2) | 1;
            registers[15] = target & ~1;
            cycles = 2;
            break;
          }
          case 29: {
            const address = ((pc + 4) & ~3) + ((opcode & 255) << 2);
            cycles += waits(address, false);
            registers[top] = read32(address);
            break;
          }
          case 30: {
            const address = (registers[mid] + registers[high]) >>> 0;
            cycles += waits(address, true);
            write32(address, registers[low]);
            break;
          }
          case 31: {
            const address = (registers[mid] + registers[high]) >>> 0;
            cycles += waits(address, true);
            write16(address, registers[low]);
            break;
          }
          case 32: {
            const address = (registers[mid] + registers[high]) >>> 0;
            cycles += waits(address, true);
            write8(address, registers[low]);
            break;
          }
          case 33: {
            const address = (registers[mid] + registers[high]) >>> 0;
            cycles += waits(address, false);
            registers[low] = (read8(address) << 24) >> 24;
            break;
          }
          case 34: {
            const address = (registers[mid] + registers[high]) >>> 0;
            cycles += waits(address, false);
            registers[low] = read32(address);
            break;
          }
          case 35: {
            const address = (registers[mid] + registers[high]) >>> 0;
            cycles += waits(address, false);
            registers[low] = read16(address);
            break;
          }
          case 36: {
            const address = (registers[mid] + registers[high]) >>> 0;
            cycles += waits(address, false);
            registers[low] = read8(address);
            break;
          }
          case 37: {
            const address = (registers[mid] + registers[high]) >>> 0;
            cycles += waits(address, false);
            registers[low] = (read16(address) << 16) >> 16;
            break;
          }
          case 38: {
            const address = (registers[mid] + ((opcode >>> 4) & 0x7c)) >>> 0;
            cycles += waits(address, true);
            write32(address, registers[low]);
            break;
          }
          case 39: {
            const address = (registers[mid] + ((opcode >>> 4) & 0x7c)) >>> 0;
            cycles += waits(address, false);
            registers[low] = read32(address);
            break;
          }
          case 40: {
            const address = (registers[mid] + ((opcode >>> 6) & 31)) >>> 0;
            cycles += waits(address, true);
            write8(address, registers[low]);
            break;
          }
          case 41: {
            const address = (registers[mid] + ((opcode >>> 6) & 31)) >>> 0;
            cycles += waits(address, false);
            registers[low] = read8(address);
            break;
          }
          case 42: {
            const address = (registers[mid] + ((opcode >>> 5) & 62)) >>> 0;
            cycles += waits(address, true);
            write16(address, registers[low]);
            break;
          }
          case 43: {
            const address = (registers[mid] + ((opcode >>> 5) & 62)) >>> 0;
            cycles += waits(address, false);
            registers[low] = read16(address);
            break;
          }
          case 44: {
            const address = (registers[13] + ((opcode & 255) << 2)) >>> 0;
            cycles += waits(address, true);
            write32(address, registers[top]);
            break;
          }
          case 45: {
            const address = (registers[13] + ((opcode & 255) << 2)) >>> 0;
            cycles += waits(address, false);
            registers[top] = read32(address);
            break;
          }
          case 46: registers[top] = (pc & ~3) + 4 + ((opcode & 255) << 2); break;
          case 47: registers[top] = registers[13] + ((opcode & 255) << 2); break;
          case 48: registers[13] = (registers[13] + ((opcode & 127) << 2)) & ~3; break;
          case 49: registers[13] = (registers[13] - ((opcode & 127) << 2)) & ~3; break;
          case 50: registers[low] = (registers[mid] << 16) >> 16; break;
          case 51: registers[low] = (registers[mid] << 24) >> 24; break;
          case 52: registers[low] = registers[mid] & 0xffff; break;
          case 53: registers[low] = registers[mid] & 0xff; break;
          case 54: {
            let address = registers[13];
            if (opcode & 256) {
              address -= 4;
              write32(address >>> 0, registers[14]);
            }
            for (let i = 7; i >= 0; i--) {
              if (opcode & (1 << i)) {
                address -= 4;
                write32(address >>> 0, registers[i]);
                cycles++;
              }
            }
            registers[13] = address & ~3;
            break;
          }
          case 55: {
            let address = registers[13];
            for (let i = 0; i < 8; i++) {
              if (opcode & (1 << i)) {
                registers[i] = read32(address);
                address = (address + 4) >>> 0;
                cycles++;
              }
            }
            if (opcode & 256) {
              const target = read32(address);
              registers[13] = (address + 4) & ~3;
              branch(target);
              cycles += 2;
            } else registers[13] = address & ~3;
            break;
          }
          case 56:
            if (holds((opcode >>> 8) & 15)) {
              registers[15] = pc + 4 + (((opcode & 255) << 24) >> 23);
              cycles = 2;
            }
            break;
          case 57:
            registers[15] = pc + 4 + (((opcode & 0x7ff) << 21) >> 20);
            cycles = 2;
            break;
          case 58: {
            const second = read16(pc + 2);
            if (second >>> 14 === 3 && second & 0x1000) {
              const sign = (opcode >>> 10) & 1;
              const i1 = ((second >>> 13) & 1) ^ sign ^ 1;
              const i2 = ((second >>> 11) & 1) ^ sign ^ 1;
              const distance =
                (sign ? 0xff000000 : 0) | (i1 << 23) | (i2 << 22) | ((opcode & 0x3ff) << 12) | ((second & 0x7ff) << 1);
              registers[14] = (pc + 4) | 1;
              registers[15] = pc + 4 + distance;
              cycles = 3;
            } else {
              registers[15] = pc;
              cycles = core.executeInstruction();
              core.cycles -= cycles; // it has counted them itself
            }
            break;
          }
          case 59: {
            const base = top;
            let address = registers[base];
            for (let i = 0; i < 8; i++) {
              if (opcode & (1 << i)) {
                write32(address, registers[i]);
                address = (address + 4) >>> 0;
                cycles++;
              }
            }
            if (!(opcode & (1 << base))) registers[base] = address;
            break;
          }
          case 60: {
            const base = top;
            let address = registers[base];
            for (let i = 0; i < 8; i++) {
              if (opcode & (1 << i)) {
                registers[i] = read32(address);
                address = (address + 4) >>> 0;
                cycles++;
              }
            }
            if (!(opcode & (1 << base))) registers[base] = address;
            break;
          }
          default:
            registers[15] = pc;
            cycles = core.executeInstruction();
            core.cycles -= cycles;
        }
        core.cycles += cycles;
      }
      if (penalty) {
        cycles += penalty;
        penalty = 0;
      }
      const ns = cycles * NS_PER_CYCLE;
      const alarm = clock.nextAlarm;
      if (alarm !== null && alarm.nanos <= clock.nanosCounter + ns) clock.tick(ns);
      else clock.nanosCounter += ns;
      if (!pio0.stopped || !pio1.stopped) stepPio();
    }
    stats.instructions += limit - left - 1;
  }

  return { burst, flushCache, stats };
}

// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// Decodes what goes over the data wire of WS2812 pixels. By their data sheet a bit is a high level of 0.35 us (0) or
// 0.7 us (1), most significant bit first, and 50 us of low level end the frame.

const LONG_HIGH_NS = 500; // a high level beyond this is a 1
export const LATCH_NS = 50000; // a low level beyond this ends the frame

export class Ws2812Decoder {
  // onFrame({startNs, endNs, bytes, looseBits, shortNs, longNs}): a frame is complete. startNs is its first rising
  // edge, endNs its last falling one; looseBits are the bits behind the last whole byte; shortNs and longNs the
  // longest high level that was taken for a 0 and the shortest that was taken for a 1 (NaN: there was none).
  constructor(onFrame) {
    this.onFrame = onFrame;
    this.level = 0;
    this.bits = [];
    this.riseNs = this.fallNs = this.startNs = 0;
    this.shortNs = this.longNs = NaN;
  }

  // The wire changes its level at `ns`; a level that it already has is no change.
  edge(ns, level) {
    if (level === this.level) return;
    if (level) this.check(ns);
    this.level = level;
    if (level) {
      if (!this.bits.length) this.startNs = ns;
      this.riseNs = ns;
      return;
    }
    const highNs = ns - this.riseNs;
    const bit = highNs > LONG_HIGH_NS ? 1 : 0;
    if (bit) this.longNs = this.longNs <= highNs ? this.longNs : highNs;
    else this.shortNs = this.shortNs >= highNs ? this.shortNs : highNs;
    this.bits.push(bit);
    this.fallNs = ns;
  }

  // Time has come to `ns`: ends the frame if the wire has been low for long enough.
  check(ns) {
    if (this.bits.length && !this.level && ns - this.fallNs > LATCH_NS) this.flush();
  }

  flush() {
    const { bits } = this;
    const bytes = new Uint8Array(bits.length >> 3);
    for (let i = 0; i < 8 * bytes.length; i++) bytes[i >> 3] |= bits[i] << (7 - (i & 7));
    const { startNs, fallNs: endNs, shortNs, longNs } = this;
    const looseBits = bits.length & 7;
    this.bits = [];
    this.shortNs = this.longNs = NaN;
    this.onFrame({ startNs, endNs, bytes, looseBits, shortNs, longNs });
  }
}

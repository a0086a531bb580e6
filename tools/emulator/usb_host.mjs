// SPDX-FileCopyrightText: 2026 The Five-in-a-row Board authors
// SPDX-License-Identifier: MIT
//
// The computer at the other end of the USB cable, as far as a CircuitPython board needs one: it enumerates the device,
// opens every serial port (CDC) and, on demand, looks at the drive (mass storage) as a desktop does when it mounts it.
const inside = new URL('../node_modules/rp2040js/dist/esm/', import.meta.url);
const usb = await import(new URL('usb/setup.js', inside));
const { DescriptorType } = await import(new URL('usb/interfaces.js', inside));

const CONTROL_NS = 200000; // between two control transfers
const LOOK_NS = 2e9; // the desktop asks the drive so often whether it is still there
const MOUNT_NS = 100e6; // after the enumeration
const CLASS_CDC_DATA = 10;
const CLASS_STORAGE = 8;
const INTERFACE = 4; // types of descriptors
const ENDPOINT = 5;
const SET_LINE_STATE = 0x22;

export class UsbHost {
  constructor(chip, massStorage) {
    this.chip = chip;
    this.wantsDrive = massStorage;
    this.early = []; // [port, bytes] given before the ports were open
  }

  // A controller that has just been powered: the cable is in.
  attach(controller) {
    this.controller = controller;
    this.ports = []; // {interface, in, out, queue}
    this.drive = null;
    this.connected = false;
    this.armed = new Map(); // endpoint -> bytes that the device is ready to take
    this.steps = [];
    this.reply = [];
    this.controlAlarm = this.chip.clock.createAlarm(() => this.steps.shift()?.());
    controller.onUSBEnabled = () => controller.resetDevice();
    controller.onResetReceived = () => {
      this.armed.clear();
      this.steps = this.enumeration();
      this.next();
    };
    controller.onEndpointWrite = (endpoint, bytes) => this.received(endpoint, bytes);
    controller.onEndpointRead = (endpoint, size) => this.mayBeSent(endpoint, size);
  }

  enumeration() {
    const configuration = (length) => () => this.control(usb.getDescriptorPacket(DescriptorType.Configration, length));
    return [
      () => this.control(usb.setDeviceAddressPacket(1)),
      configuration(9),
      () => configuration(this.reply[2] | (this.reply[3] << 8))(),
      () => {
        this.parse(this.reply);
        this.steps.push(...this.ports.map((port) => () => this.setLineState(port, 3)), () => this.ready());
        this.control(usb.setDeviceConfigurationPacket(1));
      },
    ];
  }

  ready() {
    this.connected = true;
    this.chip.on.usb?.();
    if (this.wantsDrive) this.chip.at(this.chip.ns + MOUNT_NS, () => this.mount());
    for (const [port, bytes] of this.early.splice(0)) this.send(port, bytes);
  }

  control(packet) {
    this.reply = [];
    this.controller.sendSetupPacket(packet);
  }

  next() {
    this.controlAlarm.schedule(CONTROL_NS);
  }

  setLineState(port, state) {
    this.control(
      usb.createSetupPacket({
        dataDirection: 0,
        type: 1,
        recipient: 1,
        bRequest: SET_LINE_STATE,
        wValue: state,
        wIndex: port.interface - 1,
        wLength: 0,
      }),
    );
  }

  // Find the serial ports and the drive in a configuration descriptor.
  parse(descriptor) {
    let port = null;
    let isDrive = false;
    for (let at = 0; at < descriptor.length && descriptor[at] >= 2; at += descriptor[at]) {
      const type = descriptor[at + 1];
      if (type === INTERFACE) {
        port = null;
        isDrive = descriptor[at + 5] === CLASS_STORAGE;
        if (isDrive) this.drive = { in: -1, out: -1, waiting: [], got: [], current: null, tag: 0 };
        if (descriptor[at + 5] === CLASS_CDC_DATA && descriptor[at + 4] === 2) {
          port = { interface: descriptor[at + 2], in: -1, out: -1, queue: [] };
          this.ports.push(port);
        }
      } else if (type === ENDPOINT && (port || isDrive)) {
        const number = descriptor[at + 2] & 15;
        (port ?? this.drive)[descriptor[at + 2] & 0x80 ? 'in' : 'out'] = number;
      }
    }
  }

  received(endpoint, bytes) {
    if (endpoint === 0) {
      if (bytes.length) this.reply.push(...bytes);
      else this.next();
    } else if (this.drive?.in === endpoint) this.driveAnswered(bytes);
    else {
      const port = this.ports.findIndex((each) => each.in === endpoint);
      if (port >= 0 && bytes.length) this.chip.on.serial?.(port, bytes);
    }
  }

  mayBeSent(endpoint, size) {
    if (endpoint === 0) {
      if (size === 0) {
        this.controller.endpointReadDone(0, new Uint8Array(0));
        this.next();
      }
      return;
    }
    this.armed.set(endpoint, size);
    if (this.drive?.out === endpoint) this.askDrive();
    else this.pump(endpoint);
  }

  // Serial

  send(port, bytes) {
    const to = this.connected && this.ports[port];
    if (!to) {
      this.early.push([port, bytes]);
      return;
    }
    for (const byte of bytes) to.queue.push(byte);
    this.pump(to.out);
  }

  pump(endpoint) {
    const port = this.ports.find((each) => each.out === endpoint);
    if (!port || !port.queue.length || !this.armed.has(endpoint)) return;
    const size = this.armed.get(endpoint);
    this.armed.delete(endpoint);
    this.controller.endpointReadDone(endpoint, new Uint8Array(port.queue.splice(0, size)));
  }

  // Mass storage: SCSI commands in the bulk-only transport's wrapper

  mount() {
    if (!this.drive) return;
    const commands = [
      [[0x12, 0, 0, 0, 36, 0], 36], // INQUIRY
      [[0, 0, 0, 0, 0, 0], 0], // TEST UNIT READY
      [[3, 0, 0, 0, 18, 0], 18], // REQUEST SENSE
      [[0, 0, 0, 0, 0, 0], 0],
      [[0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0], 8], // READ CAPACITY
      [[0x1a, 0, 0x3f, 0, 4, 0], 4], // MODE SENSE
    ];
    for (const [command, length] of commands) this.drive.waiting.push({ command, length });
    this.askDrive();
    const { drive } = this;
    const look = () => {
      if (this.drive !== drive) return; // the board has been reset since
      drive.waiting.push({ command: [0, 0, 0, 0, 0, 0], length: 0 });
      this.askDrive();
      this.chip.at(this.chip.ns + LOOK_NS, look);
    };
    this.chip.at(this.chip.ns + LOOK_NS, look);
  }

  askDrive() {
    const { drive } = this;
    if (drive.current || !drive.waiting.length || !this.armed.has(drive.out)) return;
    this.armed.delete(drive.out);
    drive.current = drive.waiting.shift();
    drive.got = [];
    const wrapper = Buffer.alloc(31);
    wrapper.write('USBC', 0, 'latin1');
    wrapper.writeUInt32LE(++drive.tag, 4);
    wrapper.writeUInt32LE(drive.current.length, 8);
    wrapper[12] = 0x80; // towards the computer
    wrapper[14] = drive.current.command.length;
    Buffer.from(drive.current.command).copy(wrapper, 15);
    this.controller.endpointReadDone(drive.out, new Uint8Array(wrapper));
  }

  driveAnswered(bytes) {
    const { drive } = this;
    drive.got.push(...bytes);
    const status = Buffer.from(drive.got.slice(-13));
    if (status.length < 13 || status.toString('latin1', 0, 4) !== 'USBS') return;
    drive.current = null;
    this.askDrive();
  }
}

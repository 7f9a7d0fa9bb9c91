import { MAX_WRITERS } from '../../port/limits.js';
import { createInstanceSwitch, createRingIn, RingBufferReader } from '../../ring-buffer/index.js';
import { STATE } from '../../ring-buffer/instance-switch.js';
import { BLOCK, HEARD_WRITER } from '../code/arena.js';
import { writerState } from '../code/writer-state.js';
import type { NativeArena } from './native-arena.js';
import type { RingMemoryPages } from './shared-pages.js';

/** Bytes of a thread's ring for what triggers look at, and of its pages. */
const RING_BYTES = 256 * 1024;
const SUBBUF_BYTES = 4096;

/** A record that triggers look at. */
export interface HeardEvent {
  readonly cpu: number;
  readonly ts: number;
  readonly record: Uint8Array;
}

/**
 * The events that have triggers: threads write them a second time, into rings that only the host reads, whether they are recorded
 * or not. The rings come with the first such event.
 */
export class HeardEvents {
  readonly #arena: NativeArena;
  readonly #pages: RingMemoryPages;
  readonly #switch: SharedArrayBuffer;
  readonly #rings = new Map<number, { readonly memory: SharedArrayBuffer; readonly reader: RingBufferReader }>();
  #isOn = false;
  #dropped = 0;

  constructor(arena: NativeArena, pages: RingMemoryPages) {
    this.#arena = arena;
    this.#pages = pages;
    this.#switch = createInstanceSwitch(MAX_WRITERS, (bytes) => pages.allocate(bytes));
  }

  /** Some event has triggers: all cpus that there are get a ring, and those that come. */
  begin(cpus: number): void {
    if (this.#isOn) return;
    this.#isOn = true;
    for (let cpu = 0; cpu < cpus; cpu++) this.addCpu(cpu);
  }

  /** There is a cpu from now on. */
  addCpu(cpu: number): void {
    if (!this.#isOn) return;
    const memory = this.#rings.get(cpu)?.memory ?? this.#ring(cpu);
    const arena = this.#arena;
    const address = arena.writer(cpu, HEARD_WRITER);
    arena.setBytes(
      address,
      writerState({
        memory,
        ring: this.#pages.addressOf(memory)!,
        words: this.#pages.addressOf(this.#switch)! + STATE * 4,
        state: 0,
        cpu,
        inUse: arena.block(cpu) + BLOCK.HEARD,
      }),
    );
    arena.setLong(arena.block(cpu) + BLOCK.HEARD, address);
  }

  /** What has come since the last call, in the order of time. */
  take(): readonly HeardEvent[] {
    const heard: HeardEvent[] = [];
    for (const [cpu, { reader }] of this.#rings) {
      while (reader.peek()) {
        const { ts, bytes, payload, length } = reader;
        heard.push({ cpu, ts, record: bytes.slice(payload, payload + length) });
        reader.consume();
      }
    }
    return heard.sort((a, b) => a.ts - b.ts);
  }

  /** How many did not fit, since the last call. */
  lost(): number {
    let dropped = 0;
    for (const [cpu] of this.#rings) dropped += this.#arena.dropped(cpu, HEARD_WRITER);
    const more = dropped - this.#dropped;
    this.#dropped = dropped;
    return more;
  }

  #ring(cpu: number): SharedArrayBuffer {
    const allocate = (bytes: number): SharedArrayBuffer => this.#pages.allocate(bytes);
    const memory = createRingIn(allocate, RING_BYTES, SUBBUF_BYTES, { overwrite: false });
    this.#rings.set(cpu, { memory, reader: new RingBufferReader(memory) });
    return memory;
  }
}

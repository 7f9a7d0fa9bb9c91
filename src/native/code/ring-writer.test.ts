import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seededRandom } from '../../base/testing/random.js';
import { DELTA_LIMIT } from '../../ring-buffer/event-word.js';
import {
  createInstanceSwitch,
  createRingBuffer,
  InstanceSwitch,
  RingBufferReader,
  RingBufferWriter,
} from '../../ring-buffer/index.js';
import * as ring from '../../ring-buffer/layout.js';
import { moveRing } from '../../ring-buffer/move-ring.js';
import { without } from '../testing/toolchain.js';
import { WRITER } from './arena.js';
import { ARM64_GCC, ARM64_RUN, type CodeRunner, EmulatedRunner, emulator, LocalRunner } from './testing/code-runner.js';
import { NativeWriter, PAYLOAD_WORDS } from './testing/native-writer.js';

const SEED = Number(process.env['SEED'] ?? 1);
const STEPS = 150;
const CPU = 3;

/** The first difference of two memories, as text; undefined: none. */
function difference(a: ArrayBufferLike, b: ArrayBufferLike): string | undefined {
  const [one, other] = [new Uint32Array(a), new Uint32Array(b)];
  for (const [i, word] of one.entries()) {
    if (word !== other[i]) return `word ${i}: TypeScript 0x${word.toString(16)}, machine code 0x${other[i]!.toString(16)}`;
  }
  return undefined;
}

/** The writer in TypeScript and the one in machine code, which get the same events. */
class Pair {
  readonly switches = [0, 1].map(() => new InstanceSwitch(createInstanceSwitch(8)));
  readers: RingBufferReader[];
  typescript: RingBufferWriter;
  readonly native: NativeWriter;

  constructor(runner: CodeRunner, create: () => SharedArrayBuffer) {
    const memories = [create(), create()];
    this.readers = memories.map((memory) => new RingBufferReader(memory));
    this.typescript = new RingBufferWriter(memories[0]!, this.switches[0], CPU);
    this.native = new NativeWriter(runner, this.switches[1]!.words, CPU);
    this.native.attach(0, memories[1]!, 0);
  }

  get memories(): readonly [ArrayBufferLike, ArrayBufferLike] {
    return [this.typescript.u32.buffer, this.native.memory];
  }

  write(payload: Uint32Array, ts: number): void {
    const at = this.typescript.reserve(payload.length * 4, ts);
    if (at >= 0) {
      this.typescript.u32.set(payload, at);
      this.typescript.commit();
    }
    this.native.write(payload, ts, (recorded) => assert.equal(recorded, at >= 0));
  }

  check(what: string): void {
    const found = difference(...this.memories);
    if (found !== undefined) assert.fail(`after ${what}: ${found}`);
    assert.deepEqual(this.switches[0]!.words, this.switches[1]!.words);
  }
}

let emulated: readonly string[] | undefined;
// A hook that a test registers runs at that test's end: the program is every test's.
const cleanups: (() => void)[] = [];
after(() => {
  for (const run of cleanups) run();
});

/** The machines whose code is run: how, and how many rounds of random events a run has time for. */
const MACHINES: readonly {
  readonly name: string;
  readonly skip: string | false;
  readonly rounds: number;
  readonly create: () => CodeRunner;
}[] = [
  {
    name: 'x86-64',
    skip: process.arch !== 'x64' && 'this process runs no code of x86-64',
    rounds: 40,
    create: () => new LocalRunner(),
  },
  {
    name: 'arm64',
    skip: without(ARM64_GCC, ...ARM64_RUN),
    rounds: 2,
    create: () => new EmulatedRunner((emulated ??= emulator({ after: (run) => void cleanups.push(run) }))),
  },
];

function onEachMachine(title: string, run: (runner: CodeRunner, rounds: number) => void): void {
  for (const { name, skip, rounds, create } of MACHINES) test(`${name}: ${title}`, { skip }, () => run(create(), rounds));
}

onEachMachine(
  'the same bytes as the writer in TypeScript, whatever is written, read, switched, moved and taken',
  (runner, rounds) => {
    for (let round = 0; round < rounds; round++) {
      const seed = SEED * 1000 + round;
      try {
        playRound(runner, seed);
      } catch (cause) {
        throw new Error(`seed ${seed}`, { cause });
      }
    }
  },
);

function playRound(runner: CodeRunner, seed: number): void {
  const random = seededRandom(seed);
  const subbufBytes = [4096, 8192][random(2)]!;
  const size = (1 + random(6)) * subbufBytes;
  const pair = new Pair(runner, () => createRingBuffer(size, subbufBytes));
  const words = PAYLOAD_WORDS.slice(0, [6, 9, 12][random(3)]);
  let clock = 2 ** 40;
  let hasSpare = false;

  const write = (): void => {
    clock += random(20) === 0 ? DELTA_LIMIT - 2 + random(4) : random(1000);
    if (random(200) === 0) clock += 2 ** 36;
    const payload = new Uint32Array(words[random(words.length)]!).map(() => random(2 ** 31));
    pair.write(payload, clock - (random(10) === 0 ? random(1000) : 0));
  };
  const each = (act: (reader: RingBufferReader) => unknown): void => {
    const [one, other] = pair.readers.map(act);
    assert.deepEqual(other, one);
  };
  const actions: Readonly<Record<string, () => void>> = {
    write: () => {
      for (let i = random(200); i > 0; i--) write();
    },
    'many events': () => {
      for (let i = random(1000); i > 0; i--) write();
    },
    'reads of events': () => {
      const most = random(200);
      each((reader) => {
        const found: number[] = [];
        for (let i = 0; i < most && reader.peek(); i++) {
          found.push(reader.ts, reader.lost, reader.length, reader.words[reader.payload >> 2]!);
          reader.consume();
        }
        return found;
      });
    },
    'a read of a page': () => {
      const full = random(2) === 0;
      each((reader) => {
        const page = new Uint8Array(subbufBytes);
        return reader.readPage(page, full) && [...page];
      });
    },
    'a change of overwrite': () => {
      const overwrite = random(2) === 0;
      each((reader) => void (reader.overwrite = overwrite));
    },
    'a reader that waits': () => {
      const pages = random(4);
      for (const memory of pair.memories) {
        const i32 = new Int32Array(memory);
        Atomics.or(i32, ring.ATTENTION, ring.EVENT_AWAITED);
        Atomics.store(i32, ring.WAKE_PAGES, pages);
      }
    },
    'recording off or on': () => {
      const bit = random(3) === 0 ? ring.RECORD_DISABLED_BY.cpumask : 0;
      for (const memory of pair.memories) Atomics.store(new Int32Array(memory), ring.ATTENTION, bit);
    },
    tracing_on: () => {
      const off = random(3) === 0;
      for (const one of pair.switches) one.setOff('tracingOn', off);
    },
    'spare memory': () => {
      if (hasSpare) return;
      hasSpare = true;
      const spares = [0, 1].map(() => createRingBuffer(size, subbufBytes));
      for (const one of pair.switches) one.beginFollowing(CPU);
      pair.typescript.setSpare(spares[0]);
      pair.native.attach(1 - pair.native.inUse, spares[1]!, 0);
      pair.native.setSpare(pair.switches[1]!.followed(CPU));
    },
    'a snapshot': () => {
      for (const one of pair.switches) one.swap();
      if (random(3) === 0) for (const one of pair.switches) one.swap();
    },
    'a new writer': () => {
      if (hasSpare) return;
      pair.typescript = new RingBufferWriter(pair.memories[0], pair.switches[0], CPU);
      pair.native.attach(pair.native.inUse, pair.memories[1], pair.switches[1]!.words[0]! & ~0xff);
    },
    'a move': () => {
      if (hasSpare || random(4) > 0) return;
      const newSize = (1 + random(6)) * subbufBytes;
      const targets = [0, 1].map(() => createRingBuffer(newSize, subbufBytes));
      for (const [i, reader] of pair.readers.entries()) reader.expectMove(targets[i]!);
      assert.ok(pair.typescript.moveTo(targets[0]!));
      moveRing(pair.native.memory, targets[1]!);
      pair.native.attach(pair.native.inUse, targets[1]!, pair.switches[1]!.words[0]! & ~0xff);
      each((reader) => reader.isMoving());
    },
  };
  const names = Object.keys(actions);
  for (let step = 0; step < STEPS; step++) {
    const name = names[random(names.length)]!;
    actions[name]!();
    pair.check(`${name} (step ${step})`);
  }
}

onEachMachine('an event inside an event is counted, not recorded', (runner) => {
  const pair = new Pair(runner, () => createRingBuffer(8192));
  pair.write(Uint32Array.of(1, 2, 3), 1000);
  pair.native.setField(WRITER.BUSY, 1);
  for (const ts of [1001, 1002]) pair.native.write(Uint32Array.of(1, 2, 3), ts, (recorded) => assert.ok(!recorded));
  pair.native.flush();
  assert.equal(new Float64Array(pair.native.memory)[ring.COMMIT_OVERRUN], 2);
  pair.native.setField(WRITER.BUSY, 0);
  pair.native.write(Uint32Array.of(1, 2, 3), 1003, (recorded) => assert.ok(recorded));
  pair.native.flush();
});

onEachMachine('a writer that was left by longjmp is taken over, wherever it was left', (runner) => {
  for (const committed of [false, true]) {
    for (const first of [false, true]) {
      const pair = new Pair(runner, () => createRingBuffer(8192));
      if (!first) pair.write(Uint32Array.of(1, 2, 3), 1000);
      pair.write(Uint32Array.of(4, 5, 6), 1010);
      // With a length of its own, after a time of its own.
      pair.write(new Uint32Array(100), 2 ** 30);
      if (!committed) pair.write(Uint32Array.of(7, 8, 9), 2 ** 30 + 20);
      // The state that the code leaves behind when its last event was not committed, or was published and nothing more.
      const before = new NativeState(pair.native);
      if (committed) {
        pair.write(Uint32Array.of(7, 8, 9), 2 ** 30 + 20);
        before.restore();
      }
      pair.native.setStack(0n, 2n ** 63n);
      pair.native.setField(WRITER.BUSY, 16);
      pair.write(Uint32Array.of(10, 11, 12), 2 ** 30 + 30);
      pair.check(`committed: ${committed}, first: ${first}`);
      assert.equal(new Float64Array(pair.native.memory)[ring.COMMIT_OVERRUN], 0);
    }
  }
});

/** What a commit changes after it has published the event. */
class NativeState {
  readonly #writer: NativeWriter;
  readonly #fields: readonly (readonly [number, number])[];

  constructor(writer: NativeWriter) {
    this.#writer = writer;
    this.#fields = [WRITER.STAMP, WRITER.COUNT, WRITER.POSITION].map((offset) => [offset, writer.field(offset)] as const);
  }

  restore(): void {
    for (const [offset, value] of this.#fields) this.#writer.setField(offset, value);
  }
}

onEachMachine('the first event of a page that was left by longjmp gives the page no wrong time', (runner) => {
  const pair = new Pair(runner, () => createRingBuffer(8192));
  pair.native.setStack(0n, 2n ** 63n);
  // Reserved, but not committed.
  const start = pair.native.field(WRITER.POSITION);
  pair.native.setField(WRITER.LIMIT, pair.native.field(WRITER.PAGE_END));
  pair.native.setField(WRITER.BUSY, 16);
  pair.write(Uint32Array.of(10, 11, 12), 1030);
  pair.check('the event');
  assert.equal(pair.native.field(WRITER.POSITION), start + 16);
});

onEachMachine('a writer that counts has counts of the processor as times, and leaves the time that it is given', (runner) => {
  const memories = [0, 1].map(() => createRingBuffer(65_536));
  const switches = new InstanceSwitch(createInstanceSwitch(8));
  const native = new NativeWriter(runner, switches.words, CPU);
  native.attach(0, memories[0]!, 0, true);
  native.attach(1, memories[1]!, 0, true);
  switches.beginFollowing(CPU);
  native.setSpare(switches.followed(CPU));
  native.setStack(0n, 2n ** 63n);
  const EVENTS = 600;
  const times: bigint[] = [];
  for (let i = 0; i < EVENTS; i++) {
    native.write(new Uint32Array(PAYLOAD_WORDS[i % 10]!), 1000 + i, (_, time) => times.push(time));
    // What a call that was left by longjmp has reserved, and not published.
    if (i % 50 === 0) {
      native.flush();
      native.setField(WRITER.COUNT_STAMP, 2n ** 62n);
      native.setField(WRITER.BUSY, 16);
    }
    if (i === EVENTS / 2) {
      native.flush();
      switches.swap();
    }
  }
  native.flush();
  assert.deepEqual(
    times,
    Array.from({ length: EVENTS }, (_, i) => BigInt(1000 + i)),
  );
  assert.equal(native.inUse, 1);
  const counts = memories.flatMap((memory) => {
    const found: number[] = [];
    for (const reader = new RingBufferReader(memory); reader.peek(); reader.consume()) found.push(reader.ts);
    return found;
  });
  assert.equal(counts.length, EVENTS);
  // From 2^53 on, which an emulator's counter may be above, neighbours are the same number.
  const least = counts[0]! < Number.MAX_SAFE_INTEGER ? 1 : 0;
  for (const [i, count] of counts.entries()) {
    const last = counts[i - 1] ?? 1000 + EVENTS;
    assert.ok(count >= last + least, `${i}: ${last}, ${count}`);
  }
  assert.ok(counts.at(-1)! > counts[0]!);
});

onEachMachine('without a ring, events are counted in the block', (runner) => {
  const native = new NativeWriter(runner, new Int32Array(new SharedArrayBuffer(128)), 0);
  native.write(Uint32Array.of(1, 2, 3), 5, (recorded) => assert.ok(!recorded));
  native.write(Uint32Array.of(1, 2, 3, 4, 5), 5, (recorded) => assert.ok(!recorded));
  assert.equal(native.ringless, 2);
});

onEachMachine('a reader on the side loses nothing that is not counted', (runner) => {
  const pair = new Pair(runner, () => createRingBuffer(16_384));
  const reader = new RingBufferReader(pair.native.memory);
  let [read, lost] = [0, 0];
  const EVENTS = 20_000;
  for (let i = 0; i < EVENTS; i++) {
    pair.native.write(Uint32Array.of(i, 2, 3), i * 10);
    if (i % 700 === 0) {
      pair.native.flush();
      for (let n = 0; n < 500 && reader.peek(); n++) {
        lost += reader.lost;
        assert.equal(reader.words[reader.payload >> 2], read + lost);
        read++;
        reader.consume();
      }
    }
  }
  pair.native.flush();
  for (; reader.peek(); read++, reader.consume()) lost += reader.lost;
  assert.equal(read + lost, EVENTS);
  assert.ok(lost > 0);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { TraceError } from '../../base/errno.js';
import { processMaps } from '../process/process-maps.js';
import { ProcessMemory } from '../process/process-memory.js';
import type { SliceSize } from '../process/slice-size.js';
import { compile, noCompiler, start } from '../testing/programs.js';
import { ChangeQueue, changeStopped, type LeftChanges, type PendingChanges, type TextProgress } from './change-queue.js';
import { NativeTexts } from './native-texts.js';

/** Four threads that call two functions all the time, and say what these return when they are asked. */
const CALLERS = `
#include <pthread.h>
#include <stdio.h>
__attribute__((noinline)) int one(void) { asm volatile(""); return 1; }
__attribute__((noinline)) int two(void) { asm volatile(""); return 2; }
static volatile int sum;
static void *caller(void *none) { for (;;) sum = one() + two(); }
int main(void) {
  setbuf(stdout, 0);
  pthread_t thread;
  for (int i = 0; i < 4; i++) pthread_create(&thread, 0, caller, 0);
  puts("ready");
  while (getchar() != EOF) printf("%d\\n", one() + two());
}`;

describe('text of a process that runs', { skip: noCompiler }, () => {
  it('changes under four threads, and back', async (t) => {
    const program = start(t, compile(t, CALLERS, ['-fcf-protection=none']));
    await until(() => program.output() === 'ready\n', 'the threads run');
    const memory = new ProcessMemory(program.pid);
    const texts = new NativeTexts(program.pid);
    texts.look(processMaps(program.pid));
    const [object] = texts.all;
    const { base, functions, module } = object!.text;
    assert.equal(module, '');
    const address = base + functions.find(({ name }) => name === 'one')!.start;
    const [original, other] = [Uint8Array.of(0xb8, 1, 0, 0, 0), Uint8Array.of(0xb8, 40, 0, 0, 0)];
    const answer = async (): Promise<string> => {
      const before = program.output().length;
      program.child.stdin!.write('.');
      await until(() => program.output().length > before + 1, 'it answers');
      return program.output().slice(before).trim();
    };
    const queue = new ChangeQueue(changeStopped(memory));
    const refused: string[] = [];
    const change = (bytes: Uint8Array, from: Uint8Array): readonly string[] => {
      queue.addText([{ address, bytes, from: [from], refused: (why) => refused.push(why) }]);
      queue.flush();
      return refused.splice(0);
    };
    for (let i = 0; i < 10; i++) {
      assert.deepEqual(change(other, original), []);
      assert.equal(await answer(), '42');
      assert.deepEqual(change(original, other), []);
      assert.equal(await answer(), '3');
    }
    assert.match(change(other, other.toReversed())[0]!, /has other bytes than its file/);
    assert.equal(await answer(), '3');
  });
});

describe('text that the system does not let this process change', () => {
  const refusing = () => {
    const told: string[] = [];
    const state: { error: TraceError | undefined } = { error: undefined };
    const queue = new ChangeQueue(({ text }) => ({
      text: state.error ? text : [],
      work: [],
      ...(state.error && { error: state.error }),
    }));
    queue.hearRefusals({
      forbidden: () => void told.push('forbidden'),
      changed: () => void told.push('changed'),
    });
    const change = (name: string) => {
      const bytes = Uint8Array.of(0x90);
      return { address: 4096, bytes, from: [bytes], refused: (why: string) => void told.push(`${name}: ${why}`) };
    };
    return { queue, state, change, told: () => told.splice(0) };
  };

  it('refuses what is asked for, once', () => {
    const { queue, state, change, told } = refusing();
    state.error = new TraceError('EPERM', 'no');
    queue.addText([change('asked'), { ...change('unasked'), isUnasked: true }]);
    assert.throws(() => queue.flush(), { errno: 'EPERM' });
    assert.deepEqual(told(), ['forbidden', 'asked: no', 'unasked: no']);
    queue.flush();
    state.error = undefined;
    queue.addText([change('asked')]);
    queue.flush();
    assert.deepEqual(told(), ['changed']);
  });

  it('refuses nothing that is made with a look, or with text that nobody has asked for', () => {
    const { queue, state, change, told } = refusing();
    state.error = new TraceError('EACCES', 'no');
    queue.addText([{ ...change('unasked'), isUnasked: true }]);
    queue.addLook({ ask: () => undefined, told() {} });
    queue.flush();
    assert.deepEqual(told(), ['unasked: no']);
    assert.ok(queue.isEmpty);
  });

  it('is kept for the next change while a debugger has the process', () => {
    const { queue, state, change, told } = refusing();
    state.error = new TraceError('EBUSY', 'no');
    queue.addText([change('asked')]);
    assert.throws(() => queue.flush(), { errno: 'EBUSY' });
    state.error = undefined;
    queue.flush();
    assert.deepEqual(told(), ['changed']);
  });
});

describe('a change of much text', () => {
  const SLICE = 256;
  /** A queue whose process has other text from an address on, and how many changes each stop was given. */
  const sliced = () => {
    const stops: number[] = [];
    const state: { error: TraceError | undefined; made: () => void } = { error: undefined, made() {} };
    const make = Object.assign(
      ({ text, work }: PendingChanges): LeftChanges => {
        if (state.error !== undefined) throw state.error;
        stops.push(text.length);
        state.made();
        return { text: [], work: work.filter((run) => !run([])) };
      },
      { slices: { changes: SLICE, took() {} } as unknown as SliceSize },
    );
    const refused: string[] = [];
    const changes = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        ...{ address: 4096 + i * 16, bytes: Uint8Array.of(1), from: [Uint8Array.of(0)] },
        refused: (why: string) => void refused.push(why),
      }));
    const told: TextProgress[] = [];
    const queue = new ChangeQueue(make, (progress) => void told.push(progress));
    return { queue, stops, state, changes, refused, told };
  };

  it('goes in slices, each with a stop of its own, and says how far it is', async () => {
    const { queue, stops, state, changes, told } = sliced();
    const seen: (TextProgress | undefined)[] = [];
    state.made = () => void seen.push(queue.progress);
    queue.addText(changes(3 * SLICE + 10));
    await queue.flushed();
    assert.deepEqual(stops, [SLICE, SLICE, SLICE, 10]);
    assert.deepEqual(
      seen.map((one) => one?.done),
      [undefined, SLICE, 2 * SLICE, 3 * SLICE],
    );
    assert.equal(queue.progress, undefined);
    const all = 3 * SLICE + 10;
    assert.deepEqual(
      told,
      [1, 2, 3].map((slices) => ({ done: slices * SLICE, all })),
    );
  });

  it('takes what is added in the midst, and does at its end what waits for all of it', async () => {
    const { queue, stops, state, changes } = sliced();
    const order: string[] = [];
    queue.addText(changes(SLICE + 1));
    queue.addWork(() => {
      if (queue.hasText) return false;
      order.push(`behind ${stops.length - 1} stops with text`);
      return true;
    });
    let isFirst = true;
    state.made = () => {
      if (isFirst) queue.addText(changes(SLICE));
      isFirst = false;
    };
    await Promise.all([queue.flushed(), queue.flushed()]);
    assert.deepEqual(stops, [SLICE, SLICE, 1, 0]);
    assert.deepEqual(order, ['behind 3 stops with text']);
  });

  it('goes on where it was when the process could not be stopped, and ends with the process', async () => {
    const { queue, stops, state, changes, refused } = sliced();
    queue.addText(changes(3 * SLICE));
    state.made = () => {
      state.error = new TraceError('EBUSY', 'a debugger has it');
    };
    await assert.rejects(queue.flushed(), { errno: 'EBUSY' });
    state.error = undefined;
    state.made = () => {
      state.error = new TraceError('ESRCH', 'it has ended');
    };
    await queue.flushed();
    assert.deepEqual(stops, [SLICE, SLICE]);
    assert.deepEqual([queue.isEmpty, refused], [true, []]);
  });
});

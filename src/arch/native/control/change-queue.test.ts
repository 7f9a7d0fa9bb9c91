import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../../test/e2e/support/program.js';
import { TraceError } from '../../../base/errno.js';
import { processMaps } from '../process/process-maps.js';
import { ProcessMemory } from '../process/process-memory.js';
import { compile, noCompiler, start } from '../testing/programs.js';
import { ChangeQueue, changeStopped } from './change-queue.js';
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
    const queue = new ChangeQueue(
      ({ text }) => ({ text: state.error ? text : [], work: [], ...(state.error && { error: state.error }) }),
      {
        forbidden: () => void told.push('forbidden'),
        changed: () => void told.push('changed'),
      },
    );
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

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { endedCode, findLeftovers } from '../../src/native/control/leftovers.js';
import { processMaps } from '../../src/native/process/process-maps.js';
import { ProcessMemory } from '../../src/native/process/process-memory.js';
import { residentParts } from '../../src/native/process/resident-words.js';
import { whileStopped } from '../../src/native/process/stop.js';
import { threadIds } from '../../src/native/process/tasks.js';
import { Sandbox, until } from '../e2e/support/program.js';
import { asked, hosted, isAsInFile, lacks, noTracing, ready } from '../native/native-machine.js';
import { DETACHED_PROGRAM, FUNCTIONS, KINDS } from './detached-program.js';

/** How often (more in `npm run soak`), and what the depths follow from. */
const DETACHES = Number(process.env['SOAK_DETACHES'] ?? 0);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);
const DEEPEST = 200;

/** Busy threads are in fentry's code at most detaches: the next attach uses other memory. Without them it uses the same again. */
const PROGRAMS = [
  { name: 'of a thread that waits', threads: 0, least: KINDS.length },
  { name: 'of threads of which three are busy', threads: 3, least: 2 },
] as const;

/** Depths (a linear congruential generator). */
function* depths(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield 1 + Math.floor((state / 2 ** 32) * DEEPEST);
  }
}

/** Ticks of a processor that a thread has had, if it runs. */
function ticksOf(pid: number, tid: number): number {
  const stat = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'latin1');
  const [state, ...words] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'R' ? Number(words[10]) + Number(words[11]) : Infinity;
}

/** Waits until no thread is where it was: a return address that was in a register then has been used, or is on a stack. */
async function haveAllRun(pid: number): Promise<void> {
  const before = threadIds(pid).map((tid) => [tid, ticksOf(pid, tid)] as const);
  await until(() => before.every(([tid, ticks]) => ticksOf(pid, tid) > ticks + 1 || ticks === Infinity), 'all threads have run');
}

/**
 * Makes all code that fentry has left in a process useless when no thread stands in it: who comes there later ends the process.
 */
async function poison(pid: number): Promise<void> {
  const memory = new ProcessMemory(pid);
  await until(
    () =>
      whileStopped(pid, ({ threads }) => {
        const code = findLeftovers(memory, processMaps(pid)).flatMap((one) => endedCode(one).code);
        if (threads.some(({ pc }) => code.some(({ start, end }) => pc >= start && pc < end))) return false;
        for (const part of code.flatMap((range) => residentParts(pid, range))) {
          memory.write(part.start, new Uint8Array(part.end - part.start).fill(USELESS));
        }
        return code.length > 0;
      }),
    'no thread is in the code',
  );
  memory.close();
}

/** Bytes of INT3, or of instructions that there are not. */
const USELESS = process.arch === 'x64' ? 0xcc : 0;
const nothing = async (): Promise<void> => {};

describe('a host that is detached from open calls', { skip: noTracing || lacks('g++') }, () => {
  for (const { name, threads, least } of PROGRAMS) {
    const count = Math.max(DETACHES, least);
    it(`${name}, ${count} times: they return to their callers, and the text is what it was`, async (t) => {
      const options = ['-x', 'c++', '-fpatchable-function-entry=5', `-DTHREADS=${threads}`];
      const program = await ready(t, DETACHED_PROGRAM, options, 'g++');
      const { pid, child } = program;
      const sandbox = new Sandbox(t);
      const tids = threadIds(pid);
      const next = depths(SEED);
      /** Has the calls return that are still open: of some the next host sees the end. */
      let up = nothing;
      for (let i = 0; i < count; i++) {
        const kind = KINDS[i % KINDS.length]!;
        const depth = next.next().value;
        const host = await hosted(sandbox, pid);
        const ended = once(host, 'exit');
        const files = sandbox.client(pid);
        await files.write('set_ftrace_filter', FUNCTIONS);
        await files.write('current_tracer', 'function');
        await up();
        await files.write('current_tracer', 'function_graph');
        assert.equal(await asked(program, `${kind} ${depth}`), 'down');
        assert.ok(!isAsInFile(pid));
        await files.write('attached', '0');
        await ended;
        assert.ok(isAsInFile(pid));
        up = async () => {
          assert.equal(await asked(program, ''), `${kind} ${depth}`);
          assert.equal(await asked(program, 'turns'), '0 wrong');
        };
        // An exception that is in flight passes calls by the table that the unwinder has of the code; all else comes back without
        // the code.
        if (kind === 'interrupted') continue;
        await haveAllRun(pid);
        await poison(pid);
        if (depth % 2 === 0) continue;
        await up();
        up = nothing;
      }
      await up();
      assert.deepEqual(threadIds(pid), tids);
      assert.deepEqual([child.exitCode, child.signalCode], [null, null]);
    });
  }
});

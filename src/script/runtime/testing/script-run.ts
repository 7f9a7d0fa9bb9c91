import { compileFunction } from 'node:vm';
import { compileBpftrace } from '../../bpftrace/compile.js';
import { emitScript } from '../../emit/emit-script.js';
import type { ScriptProgram } from '../../program.js';
import type { ScriptCode, ScriptContext } from '../../script-code.js';
import { compileStap } from '../../stap/compile-stap.js';
import type { ScriptTarget, TargetFunction } from '../../target.js';
import { createScriptControl, createScriptMemory, type ScriptControl } from '../script-control.js';
import type { ScriptMemory } from '../script-memory.js';
import { type Compile, createScriptThread, type ScriptThread } from '../script-thread.js';

/** Compiles as threads do. */
export const compileText: Compile = (text, values) =>
  compileFunction(`"use strict";\n${text}`, Object.keys(values))(...Object.values(values));

const functionNamed = (symbol: string): TargetFunction => ({ symbol, module: '', file: '/app.js', line: 1, params: ['x', 'y'] });

/** A program with functions of any name, and no events. */
export const TEST_TARGET: ScriptTarget = {
  functions: ({ symbol }) => [functionNamed(symbol)],
  statement: () => 'there is none',
  events: () => [],
  pid: 4711,
  command: 'node',
  isStarting: false,
};

/** What handlers find on a thread without a program. Time goes on by a microsecond each time that someone looks. */
export function testContext(writer: number): ScriptContext {
  let ns = 1e9;
  return {
    writer,
    cpu: writer,
    pid: 4711,
    tid: () => 4711 + writer,
    ppid: () => 1,
    uid: () => 0,
    gid: () => 0,
    comm: () => 'node',
    nsecs: () => {
      ns += 1000;
      return ns;
    },
    wallNsecs: () => BigInt(Date.now()) * 1_000_000n,
    functionName: (at) => `function${at}`,
    moduleName: () => '',
    address: (at) => 0x1000 + at,
    thrown: () => '',
    stack: () => 'f\ng',
    values: {
      integerOf: (value) => (typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : 0),
      stringOf: String,
      shownOf: (value) => JSON.stringify(value),
      memberOf: (value, key) => (value as Record<string, unknown>)[key],
    },
  };
}

/** The typed program of a script. */
export function programOf(language: ScriptCode['language'], text: string, words: readonly string[] = []): ScriptProgram {
  if (language === 'bpftrace') return compileBpftrace(text, TEST_TARGET).program;
  const compiled = compileStap({ text, file: '<input>', words }, TEST_TARGET);
  if (compiled.kind !== 'program') throw new Error('it gives a text');
  return compiled.program;
}

/** A script that runs on this thread. */
export interface ScriptRun {
  readonly code: ScriptCode;
  readonly memory: ScriptMemory;
  readonly control: ScriptControl;
  readonly thread: ScriptThread;
  /** What it printed so far. */
  out: string;
  err: string;
}

type Own = 'begin' | 'end' | 'error';

/** Runs the handlers of a kind, in the order of their priorities, and takes what they print. */
export function runAll(run: ScriptRun, kind: Own): void {
  const priority = (index: number): number => {
    const { point } = run.code.handlers[index]!;
    return point.kind === kind ? point.priority : 0;
  };
  const indices = run.code.handlers.flatMap(({ point }, index) => (point.kind === kind ? [index] : []));
  for (const index of indices.sort((a, b) => priority(a) - priority(b))) run.thread.run(index);
  drain(run);
}

export function drain(run: ScriptRun): void {
  for (const { stream, text } of run.control.readOutput()) run[stream === 'out' ? 'out' : 'err'] += text;
}

/** Starts a script: what it was sent is what another thread would get. */
export function startScript(program: ScriptProgram, writers: readonly number[] = [0]): ScriptRun {
  const code = structuredClone(emitScript(program));
  const memory = createScriptMemory(code, writers);
  const control = createScriptControl(code, memory);
  const thread = createScriptThread(code, memory, testContext(0), compileText);
  const run: ScriptRun = { code, memory, control, thread, out: '', err: '' };
  runAll(run, 'begin');
  control.setStatus('RUNNING');
  return run;
}

/** Runs its timers in the order of time until it ends, so many at most. */
export function runTimers(run: ScriptRun, most = 200): void {
  const timers = run.code.handlers.flatMap(({ point }, index) =>
    point.kind === 'timer' ? [{ index, every: point.everyNs, next: point.everyNs }] : [],
  );
  for (let i = 0; i < most && timers.length > 0 && run.control.status() === 'RUNNING'; i++) {
    const next = timers.reduce((first, one) => (one.next < first.next ? one : first));
    next.next += next.every;
    run.thread.run(next.index);
    drain(run);
  }
}

/** Ends it: its last handlers, and its globals. */
export function endScript(run: ScriptRun): void {
  run.control.setStatus('ENDING');
  const hasFailed = run.control.status() === 'FAILED';
  runAll(run, hasFailed ? 'error' : 'end');
  if (!hasFailed) run.out += run.control.printGlobalsAtEnd();
  run.err += run.control.closingWarnings();
}

/** A script without a program, from its begin to its end. */
export function runScript(language: ScriptCode['language'], text: string, words: readonly string[] = []): ScriptRun {
  const run = startScript(programOf(language, text, words));
  runTimers(run);
  endScript(run);
  return run;
}

import { compileFunction } from 'node:vm';
import { procStat, STAT } from '../../base/proc-stat.js';
import { runDelay } from '../../base/run-delay.js';
import type { ScriptCommand, TracedThread } from '../../port/port.js';
import { traceClock } from '../../ring-buffer/index.js';
import {
  createScriptControl,
  createScriptMemory,
  type OutputChunk,
  type ScriptControl,
} from '../../script/runtime/script-control.js';
import type { ScriptMemory, WriterMemory } from '../../script/runtime/script-memory.js';
import { type Compile, createScriptThread, type ScriptThread } from '../../script/runtime/script-thread.js';
import type { HandlerCode, ScriptCode } from '../../script/script-code.js';
import { ControlContext, type ScriptStarter } from './control-context.js';
import { MachineHandlers, type MachineHandlersNeeds } from './machine-handlers.js';
import { ScriptBrake } from './script-brake.js';
import { type LostPlace, ScriptPoints, type ScriptPointsNeeds } from './script-points.js';
import { ScriptTimers } from './script-timers.js';

/** What a running script needs of the process. */
export interface RunningNeeds extends ScriptPointsNeeds, Pick<MachineHandlersNeeds, 'hidden' | 'comm'> {
  readonly port: ScriptPointsNeeds['port'];
  /** Resolves when every thread has done what it was told; rejects if one is blocked. */
  obeyed(): Promise<void>;
}

/** Who takes what a script prints. */
export interface OutputTaker {
  take(chunk: OutputChunk): void;
  /** Whether so much waits already that more shall wait in the script's memory. */
  readonly isFull: boolean;
}

/** How a script was started. */
export interface ScriptStart {
  readonly number: number;
  readonly code: ScriptCode;
  readonly starter: ScriptStarter;
}

/** Milliseconds after which its output is looked at anyway. */
const LOOK = 100;

/** UTF-16 units of output, and records of machine code, that are taken at once. */
const MOST_AT_ONCE = 1 << 18;
const MOST_RECORDS = 10_000;

/** Milliseconds that its end waits for threads to answer. */
const ANSWER = 200;

const waiting = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Lets what waits for the control thread go on: reads of files, timers. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const writerOf = ({ cpu }: TracedThread): number => cpu + 1;

/** Makes a function of generated text, of which nothing is of a script's text. */
const compile: Compile = (text, values) =>
  compileFunction(`"use strict";\n${text}`, Object.keys(values), { filename: 'script' })(...Object.values(values));

/** A script that runs in the process: from its `begin` handlers to its end. */
export class RunningScript {
  readonly control: ScriptControl;
  /** Resolves when it has ended, and all that it prints is taken: to whether it has failed. */
  readonly ended: Promise<boolean>;
  /** Once it has ended: resolves when no thread calls anything of it any more, unless one is blocked. */
  quiet: Promise<void> = Promise.resolve();
  readonly #number: number;
  readonly #code: ScriptCode;
  readonly #needs: RunningNeeds;
  readonly #output: OutputTaker;
  readonly #memory: ScriptMemory;
  readonly #writers: WriterMemory[];
  readonly #own: ScriptThread;
  readonly #points: ScriptPoints;
  readonly #timers: ScriptTimers;
  readonly #machine: MachineHandlers;
  readonly #warnings = new Set<string>();
  readonly #brakes = new Map<TracedThread, ScriptBrake>();
  #brakesAt = 0;
  #isConnected = false;

  constructor(needs: RunningNeeds, { number, code, starter }: ScriptStart, output: OutputTaker) {
    this.#needs = needs;
    this.#number = number;
    this.#code = code;
    this.#output = output;
    this.#memory = createScriptMemory(code, [0, ...needs.threads.living.map(writerOf)]);
    this.#writers = [...this.#memory.writers];
    this.control = createScriptControl(code, this.#memory);
    const context = new ControlContext(starter, needs.threads.get(0)?.tid ?? process.pid);
    this.#own = createScriptThread(code, this.#memory, context, compile);
    this.#machine = new MachineHandlers(`script_${number}`, needs, this.#own, context);
    this.#points = new ScriptPoints(number, code.handlers, needs);
    this.#timers = new ScriptTimers(code.handlers, {
      timer: (handler) => this.#own.run(handler),
      profile: (handler) => this.#sample(handler),
    });
    this.ended = this.#live();
  }

  /** Runs its `end` handlers, and ends it. */
  end(): void {
    this.control.setStatus('ENDING');
  }

  /** A thread has started, and was not told of any point yet. */
  addThread(thread: TracedThread): void {
    const writer = writerOf(thread);
    if (!this.#writers.some((one) => one.writer === writer)) {
      const memory = this.control.addWriter(writer);
      this.#writers.push(memory);
      this.#own.addWriter(memory);
      for (const other of this.#needs.threads.living) if (other !== thread) this.#tell(other, { type: 'writer', memory });
    }
    if (!this.#isConnected) return;
    this.#beginOn(thread);
    this.#points.addThread(thread);
  }

  removeThread(thread: TracedThread): void {
    this.#brakes.delete(thread);
    this.control.freeLockOf(writerOf(thread));
  }

  /** Hits are not seen there from now on: says so if one of its handlers stands there. Each thread may tell of it. */
  lost(place: LostPlace, warning: string): void {
    if (!this.#isConnected || this.#warnings.has(warning) || !this.#points.standsAt(place)) return;
    this.#warnings.add(warning);
    this.control.warn(warning);
  }

  async #live(): Promise<boolean> {
    this.#runAll('begin');
    if (this.control.setStatus('RUNNING')) await this.#connect();
    await this.#untilEnd();
    this.#timers.stop();
    if (this.#isConnected) await this.#machine.disconnect().catch(() => {});
    // From now on handlers run on the control thread only: those of a thread that does not answer look at the status first.
    await Promise.race([this.#disconnect(), waiting(ANSWER)]);
    const hasFailed = this.control.status() === 'FAILED';
    this.#runAll(hasFailed ? 'error' : 'end');
    this.#drain(true);
    if (!hasFailed) this.#output.take({ stream: 'out', text: this.control.printGlobalsAtEnd() });
    this.#output.take({ stream: 'error', text: this.control.closingWarnings() });
    this.control.setStatus('ENDED');
    this.#drain(true);
    return hasFailed;
  }

  async #connect(): Promise<void> {
    this.#isConnected = true;
    for (const thread of this.#needs.threads.living) this.#beginOn(thread);
    try {
      await this.#points.connect();
      await this.#machine.connect(this.#code.handlers);
      // A thread that is busy is interrupted for it; one that is blocked obeys later.
      void this.#needs.obeyed().catch(() => {});
    } catch (error) {
      this.control.fail((error as Error).message);
    }
    this.#timers.start();
  }

  /** Samples the threads that have a processor; one that has not obeyed the last time is busy outside of JavaScript. */
  #sample(handler: number): void {
    for (const thread of this.#needs.threads.living) {
      if (thread.isBehind || procStat(`/proc/self/task/${thread.tid}`)?.[STAT.STATE] !== 'R') continue;
      thread.interrupt?.({ type: 'script', script: this.#number, change: { type: 'sample', handler } });
    }
  }

  async #untilEnd(): Promise<void> {
    while (this.control.status() === 'RUNNING') {
      // What has no room waits in the rings, and there is nothing to wait for then but a reader.
      await (this.#output.isFull ? waiting(LOOK) : this.control.wait(LOOK));
      this.#machine.run(MOST_RECORDS);
      this.#drain(false);
      this.#brake(traceClock());
      await turn();
    }
  }

  /** Ends the script if it takes over half of the time of a thread. */
  #brake(now: number): void {
    if (now - this.#brakesAt < LOOK * 1e6) return;
    this.#brakesAt = now;
    for (const thread of this.#needs.threads.living) {
      const spent = this.control.spent(writerOf(thread));
      if (spent === 0) continue;
      let brake = this.#brakes.get(thread);
      if (brake === undefined) this.#brakes.set(thread, (brake = new ScriptBrake()));
      if (!brake.isOver({ now, waited: runDelay(thread.tid), spent })) continue;
      this.control.fail('the script took more than half of the time of a thread: it was ended');
      return;
    }
  }

  #disconnect(): Promise<void> {
    this.quiet = this.#isConnected ? this.#disconnected() : Promise.resolve();
    return this.quiet;
  }

  async #disconnected(): Promise<void> {
    this.#isConnected = false;
    this.#points.disconnect();
    for (const thread of this.#needs.threads.living) this.#tell(thread, { type: 'end' });
    // A thread that is blocked calls nothing of it, and obeys later.
    await this.#needs.obeyed().catch(() => {});
  }

  #beginOn(thread: TracedThread): void {
    this.#tell(thread, { type: 'begin', code: this.#code, memory: { ...this.#memory, writers: this.#writers } });
  }

  #tell(thread: TracedThread, change: ScriptCommand['change']): void {
    thread.post({ type: 'script', script: this.#number, change });
  }

  /** @param always also what has no room */
  #drain(always: boolean): void {
    if (!always && this.#output.isFull) return;
    const most = always ? Number.POSITIVE_INFINITY : MOST_AT_ONCE;
    for (const chunk of this.control.readOutput(most)) this.#output.take(chunk);
  }

  /** Runs the handlers of a kind, those with lower priorities first. */
  #runAll(kind: 'begin' | 'end' | 'error'): void {
    const priority = ({ point }: HandlerCode): number => ('priority' in point ? point.priority : 0);
    const all = [...this.#code.handlers.entries()].filter(([, { point }]) => point.kind === kind);
    for (const [index] of all.sort(([, a], [, b]) => priority(a) - priority(b))) this.#own.run(index);
  }
}

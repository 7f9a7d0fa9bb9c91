import type { ScriptCode } from '../script-code.js';
import type { ScriptMemory, ScriptStatus, WriterMemory } from './script-memory.js';

/** A piece of a script's output: what it printed, or what the runtime says of it (stderr of stap and bpftrace). */
export interface OutputChunk {
  readonly stream: 'out' | 'error';
  readonly text: string;
}

/** What a script has done so far. */
export interface ScriptCounts {
  /** For each handler: hits whose handler ran. */
  readonly hits: readonly number[];
  /** Hits whose handler did not run, by reason. */
  readonly skipped: { readonly lock: number; readonly reentrant: number; readonly maxactive: number };
  readonly errors: number;
  /** Records of the output that found no room. */
  readonly lost: number;
}

/** The control thread's view of a script: its status, output, counts and globals. It is no writer; that is ScriptThread. */
export interface ScriptControl {
  status(): ScriptStatus;
  /** Changes the status, unless it was further already (RUNNING does not follow ENDING); returns whether it did. */
  setStatus(status: ScriptStatus): boolean;
  /** Ends the script because of an error that is not a handler's: prints it as an error, and counts as FAILED. */
  fail(message: string): void;
  /** Makes memory for a thread that has come later. Give it to all threads, and then to its own. */
  addWriter(writer: number): WriterMemory;
  /** The thread of a writer has ended: frees the lock if it died with it. Its counts and output stay. */
  freeLockOf(writer: number): void;
  /** All output that is there, in the order of time. Losses are said in it. */
  readOutput(): readonly OutputChunk[];
  /** Resolves when there is output or the status has changed, or after the time. */
  wait(timeoutMs: number): Promise<void>;
  counts(): ScriptCounts;
  /** The present values of all globals, as they are printed at the end. */
  globals(): string;
  /** What is printed when the script has ended: code.printedAtEnd. */
  printGlobalsAtEnd(): string;
  /** What is said of errors and skipped probes after that; '' for nothing. */
  closingWarnings(): string;
}

/** Makes the state of a script, for these writers. */
export function createScriptMemory(code: ScriptCode, writers: readonly number[]): ScriptMemory {
  void [code, writers];
  throw new Error('not made yet');
}

export function createScriptControl(code: ScriptCode, memory: ScriptMemory): ScriptControl {
  void [code, memory];
  throw new Error('not made yet');
}

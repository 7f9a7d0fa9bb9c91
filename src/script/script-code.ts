import type { Long } from '../events/c-types.js';
import type { Fetch } from '../probes/probe-definition.js';
import type { PosixPattern } from './posix-pattern.js';
import type { GlobalVariable, PrintFormat, ScriptLimits, ScriptPoint } from './program.js';

/**
 * A script as code: what is made of a typed program, sent to every thread, and run there. It runs on a thread of the program, at
 * the site, and on the control thread: for `begin`, `end`, timers, and for records of machine code. No text or name of the script
 * stands in it: they are constants.
 */

/**
 * The body of a function, cut where a fetched value stands: `text[0]`, the expression of fetch `order[0]`, `text[1]`, and so on.
 *
 * In its scope are `s`, the script on this thread (ScriptThread), `h`, the functions of runtime/helpers, `K`, the constants, `F`,
 * the script's functions, `c`, what runs it (ScriptContext); and of the hit `at`, the number of the function (-1: none), and
 * `saved`, what the entry of the call has saved.
 */
export interface CodeTemplate {
  readonly text: readonly string[];
  readonly order: readonly number[];
}

export interface HandlerCode {
  readonly point: ScriptPoint;
  readonly name: string;
  readonly resolvedName: string;
  readonly fetches: readonly Fetch[];
  readonly body: CodeTemplate;
  /** At the entry of the call: an array for `saved`. Absent: nothing is saved. */
  readonly saves?: CodeTemplate;
  /** Which builtins with `reads` it uses, so that a thread prepares only those. */
  readonly reads: readonly string[];
}

export interface ScriptCode {
  readonly language: 'stap' | 'bpftrace';
  /** The text of a function that takes s, h, K and c, and returns F: the script's functions. */
  readonly functions: string;
  readonly constants: readonly (string | bigint | PosixPattern)[];
  readonly handlers: readonly HandlerCode[];
  readonly globals: readonly GlobalVariable[];
  /** The formats of its prints, by the number that a record of the output has. */
  readonly formats: readonly PrintFormat[];
  readonly limits: ScriptLimits;
  readonly printedAtEnd: readonly number[];
}

/** What a thread knows that runs a handler. No method throws or runs code of the program. */
export interface ScriptContext {
  /** The writer of aggregates and output: 0 is the control thread, n + 1 cpu n. */
  readonly writer: number;
  /** By the names of builtins.ts with `reads`. */
  readonly cpu: number;
  readonly pid: number;
  tid(): number;
  ppid(): number;
  uid(): number;
  gid(): number;
  comm(): string;
  /** The name of another task of the thread; '' or absent: not known here. */
  commOf?(pid: number): string;
  /** Nanoseconds of the trace clock. */
  nsecs(): number;
  wallNsecs(): bigint;
  functionName(at: number): string;
  moduleName(at: number): string;
  address(at: number): number;
  /** The symbol at an address, as a stack shows it; absent: not known here. */
  symbol?(address: number): string;
  /** `NAME=VALUE ...` of the function that was hit; absent: not known here. */
  parameters?(at: number): string;
  /** The program to which the script was sent; absent: `pid`. */
  readonly targetPid?: number;
  /** The text of an exception that has ended the call; "" for none. */
  thrown(): string;
  /** The stack, a line a frame, the innermost first. */
  stack(depth: number): string;
  readonly values: ScriptValues;
}

/** How a thread reads what a variable of the program holds (v8/probes/fetch-values.ts). */
export interface ScriptValues {
  /** An integer of so many bytes: a number is cut, `true` is 1, what is none is 0. */
  integerOf(value: unknown, size: number, signed: boolean): Long;
  /** A text is itself, a number in decimal, bytes up to a zero; else as `shownOf`. */
  stringOf(value: unknown): string;
  /** Any value as func-args shows it. */
  shownOf(value: unknown, isDeep: boolean): string;
  memberOf(value: unknown, key: string): unknown;
}

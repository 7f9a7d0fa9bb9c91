import type { CType } from '../events/c-types.js';
import type { ScriptPoint } from './program.js';

/** A function of the program, as scripts see it. */
export interface TargetFunction {
  readonly symbol: string;
  /** The package; '' for the application's own. */
  readonly module: string;
  /** The file as its author has it; absolute where that is known. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly params: readonly string[];
}

/** A field of an event, as its format file shows it. */
export interface TargetField {
  readonly name: string;
  readonly type: CType;
  readonly isText: boolean;
}

export interface TargetEvent {
  readonly system: string;
  readonly name: string;
  readonly fields: readonly TargetField[];
}

/**
 * The program to which a script is compiled: what its probe points can name. The control side answers of a process; the tests of
 * the compilers with a table.
 */
export interface ScriptTarget {
  /** The functions at which a point stands now; empty: none that are loaded. */
  functions(point: Extract<ScriptPoint, { kind: 'function' }>): readonly TargetFunction[];
  /** Why a statement's place cannot be probed; undefined: it can. */
  statement(point: Extract<ScriptPoint, { kind: 'statement' }>): { readonly variables: readonly string[] } | string;
  /** The events that match two globs, in the order of available_events. */
  events(system: string, name: string): readonly TargetEvent[];
  /** The process id, and the name of its program. */
  readonly pid: number;
  readonly command: string;
  /** The command line, by arguments; absent: not known. */
  readonly commandLine?: readonly string[];
  /** The processes that it descends from, its parent first. */
  readonly ancestors?: readonly { readonly pid: number; readonly comm: string }[];
  /** Texts are still to be loaded: a point that matches nothing yet is no error. */
  readonly isStarting: boolean;
}

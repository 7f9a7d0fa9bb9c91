import type { PortFeature } from '../../ftrace/tracers/features.js';
import type { Parameters } from '../../port/parameters.js';
import type { TraceNode } from './node.js';

/** A text that is written to a control file. */
export interface FileWrite {
  readonly path: string;
  readonly text: string;
}

/**
 * A parameter of FENTRY, and what its value is written to. If the value is a list, each of its words comes alone, in a list of
 * one.
 */
export type ParameterWrites = readonly [name: keyof Parameters, writesOf: (value: never) => readonly FileWrite[]];

/** Writes each word of a list. */
export const words =
  (path: string) =>
  (list: readonly string[]): readonly FileWrite[] =>
    list.map((text) => ({ path, text }));

/** Writes a value. */
export const one =
  (path: string, textOf: (value: never) => string = String) =>
  (value: unknown): readonly FileWrite[] => [{ path, text: textOf(value as never) }];

/** Writes 1 or 0. */
export const onOff =
  (path: string) =>
  (on: boolean): readonly FileWrite[] => [{ path, text: on ? '1' : '0' }];

/** A feature of the kernel that not every port has: what it adds to the tree of a process, and to the parameters of FENTRY. */
export interface Feature<Process> {
  /** The name by which ports lack it: then it has no files. */
  readonly name: PortFeature;
  readonly files: (process: Process) => Readonly<Record<string, TraceNode>>;
  /** Lines of README that say what the files are for. */
  readonly help: string | ((lacks: ReadonlySet<PortFeature>) => string);
  readonly parameters?: readonly ParameterWrites[];
}

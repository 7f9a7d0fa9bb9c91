import { basename } from 'node:path';
import type { CallVisitor } from '../output/trace-dat/calls/call-visitor.js';
import { type WalkedCalls, walkCalls } from '../output/trace-dat/calls/walk-calls.js';
import type { ReportSink } from '../output/trace-dat/index.js';
import { SelectedCalls, type Selection, selectsAll } from './selection.js';

/** A recording, or a part of it, as formats read it: more than once, if they need to. */
export interface DumpedRecording {
  /** The name of its file. */
  readonly name: string;
  /** Passes the calls and events to a visitor, in the order of time for each thread. */
  walk<Place>(visitor: CallVisitor<Place>): WalkedCalls;
}

/** Where a format's bytes go. */
export interface DumpOutput extends ReportSink {
  /** Another file beside it, whose name ends so: `.events.parquet`. Only a format that writes files has one. */
  beside(ending: string): ReportSink;
}

/** Writes a recording in a format. Returns warnings for the user. */
export type Dump = (recording: DumpedRecording, output: DumpOutput) => readonly string[];

/**
 * The part of a file that is selected.
 * @param cpus only these when given
 */
export function dumpedRecording(path: string, cpus: ReadonlySet<number> | undefined, selection: Selection): DumpedRecording {
  const name = basename(path);
  if (selectsAll(selection)) return { name, walk: (visitor) => walkCalls(path, cpus, visitor) };
  return {
    name,
    walk(visitor) {
      const selected = new SelectedCalls(visitor, selection);
      const walked = walkCalls(path, cpus, selected);
      return { ...walked, warnings: [...walked.warnings, ...selected.warnings()] };
    },
  };
}

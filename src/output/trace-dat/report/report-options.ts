import { writeSync } from 'node:fs';
import { writeFully } from '../../../base/write-fully.js';

/** What `report` shows and how; the names are trace-cmd report's options. */
export interface ReportOptions {
  /** `-t`: nine digits after the dot instead of six. */
  readonly nanoseconds?: boolean;
  /** `--cpu`: only these CPUs. */
  readonly cpus?: ReadonlySet<number>;
  /** `-l`: the latency format's irq, resched, context and preempt-depth column. */
  readonly latency?: boolean;
  /** `-O tailprint`: the function's name at its closing brace. */
  readonly tailprint?: boolean;
  /** `-O depth`: the depth after each graph line. */
  readonly depth?: boolean;
  /** `-O parent`: the caller after each function. */
  readonly parent?: boolean;
  /** `-O indent=0` clears it: functions indented below their callers (true). */
  readonly indent?: boolean;
  /** `-O places`: where each function is defined. */
  readonly places?: boolean;
  /** What fentry records beyond the kernel's fields: arguments, return values, suspension (true). */
  readonly extras?: boolean;
}

/** Writes the lines. Returns false if no more are wanted (a closed pipe). */
export interface ReportSink {
  write(bytes: Uint8Array): boolean;
}

/** The result of a report besides the lines. */
export interface ReportResult {
  readonly events: number;
  /** Warnings for the user: damage, a truncated file, unsupported options. */
  readonly warnings: readonly string[];
}

/** Writes to a file descriptor; waits for a slow pipe, and stops quietly if the reader of a pipe is gone. */
export const fdSink = (fd: number): ReportSink => ({
  write(bytes) {
    try {
      writeFully(fd, bytes, writeSync, Number.POSITIVE_INFINITY);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
      throw error;
    }
  },
});

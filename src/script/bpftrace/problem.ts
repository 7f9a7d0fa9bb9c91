import { ScriptRefusal } from '../compiler.js';

/** What a text of bpftrace's language is refused for, and how that is said. */

/** A part of the source: offsets, the end excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Problem {
  readonly at: Span;
  readonly message: string;
}

/** A script in bpftrace's language, and the name that its messages have: `stdin` for a text that was given as an argument. */
export interface ScriptSource {
  readonly name: string;
  readonly text: string;
}

/** The script is refused: `message` is all that bpftrace would print. */
export class BpftraceError extends ScriptRefusal {
  readonly problems: readonly Problem[];

  constructor(source: ScriptSource, problems: readonly Problem[]) {
    super(problems.map((problem) => formatProblem(source, 'ERROR', problem)).join('\n'));
    this.name = 'BpftraceError';
    this.problems = problems;
  }
}

/** The line and the column of an offset, both from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  let line = 1;
  for (let i = text.indexOf('\n'); i !== -1 && i < start; i = text.indexOf('\n', i + 1)) line++;
  return { line, column: offset - start + 1 };
}

/** Longer lines are shown without their ends. */
const MAX_LINE = 400;

/**
 * The message as bpftrace prints it: `FILE:LINE:FROM-TO: ERROR: ...`, the line, and `~~~` below the part; without the line if
 * the part has several (log_with_location in its src/log.cpp).
 */
export function formatProblem({ name, text }: ScriptSource, severity: 'ERROR' | 'WARNING', { at, message }: Problem): string {
  const from = placeOf(text, at.from);
  const to = placeOf(text, at.to);
  if (from.line !== to.line) return `${name}:${from.line}-${to.line}: ${severity}: ${message}`;
  const start = at.from - from.column + 1;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end === -1 ? text.length : end);
  const head = `${name}:${from.line}:${from.column}-${to.column}: ${severity}: ${message}`;
  if (line === '' || line.length > MAX_LINE) return head;
  const blank = line.slice(0, from.column - 1).replace(/[^\t]/g, ' ');
  return `${head}\n${shown(line)}\n${blank}${'~'.repeat(to.column - from.column)}`;
}

/** A text without characters that a terminal takes for commands. */
export const shown = (text: string): string => text.replace(/[\0-\x08\x0b-\x1f\x7f]/g, '?');

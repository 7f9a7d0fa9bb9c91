import { readFileSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { prefixOf, restore } from '../text/index.js';
import { calledAt, endOf } from './called-at.js';
import { StackFrames } from './stack-frames.js';
import { type HeapFunction, V8Heap } from './v8-heap.js';
import { v8Layout } from './v8-layout.js';
import { Words } from './words.js';

/** How often it is tried to read a stack that the thread has not used meanwhile. */
const ATTEMPTS = 3;
/** The most calls of a stack that are described: those at its inner end, and those at its outer end. */
const INNER = 100;
const OUTER = 50;
const WORD = 8;
const UNAVAILABLE = '(unavailable)';
/** A list of parameters that has nothing but names, or the one of an arrow. */
const PARAMETERS = /^\(([\p{L}\p{N}_$,\s]*)\)|^([\p{L}\p{N}_$]+)\s*=>/u;

/** A call on the stack of a thread that cannot be asked. */
export interface BlockedCall {
  /** '' for a function without a name. */
  readonly name: string;
  /** The name of the text; '' for a built-in function. */
  readonly url: string;
  /** From 1; 0 if it is not known, as in Node's own modules. */
  readonly line: number;
  readonly column: number;
  /** Whether the place is where the function begins: where it is, is not known. */
  readonly isBeginning: boolean;
  /** The values of its parameters; undefined: not known, or the list has more than names. */
  readonly parameters: readonly { readonly name: string; readonly value: string }[] | undefined;
}

/** The stack of a thread that cannot be asked. */
export interface BlockedStack {
  /** Innermost first. Functions that V8 has inlined into their callers are not among them. */
  readonly calls: readonly BlockedCall[];
  /** How many calls are left out behind the first `BLOCKED_CUT`. */
  readonly omitted: number;
}

/**
 * The calls of JavaScript of a thread that is in a system call, read in the memory of its process: the thread is not asked, and
 * does nothing for it. Undefined: the thread goes on, the system does not permit it, or this V8 is not known.
 */
export function blockedStack(pid: number, tid: number): BlockedStack | undefined {
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const before = systemCall(pid, tid);
    if (before === undefined) return undefined;
    const stack = attempt(() => readStack(pid, before.stack));
    if (systemCall(pid, tid)?.text === before.text) return stack;
  }
  return undefined;
}

/** The system call that a thread is in, with its arguments, and the thread's stack pointer; undefined: it runs. */
function systemCall(pid: number, tid: number): { readonly text: string; readonly stack: number } | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/task/${tid}/syscall`, 'latin1')) ?? '';
  const words = text.trim().split(' ');
  // Its number, six arguments, the stack and the instruction.
  return words.length === 9 ? { text, stack: Number(words[7]) } : undefined;
}

function readStack(pid: number, pointer: number): BlockedStack | undefined {
  const layout = v8Layout(pid);
  if (layout === undefined) return undefined;
  const words = new Words(pid);
  try {
    const heap = new V8Heap(words, layout);
    const frames = new StackFrames(pid, pointer, words, layout, heap).calls();
    const omitted = Math.max(0, frames.length - INNER - OUTER);
    const shown = omitted === 0 ? frames : [...frames.slice(0, INNER), ...frames.slice(-OUTER)];
    const functions = shown.map((frame) => heap.function(frame.function));
    const first = layout.value('off_fp_args') + WORD;
    const places = new Map<string, PlacedCall>();
    const calls = functions.map((one, i) => ({
      ...placeOf(one, functions[i - 1], places),
      parameters: namesOf(one)?.map((name, at) => {
        const value = attempt(() => heap.valueText(words.word(shown[i]!.frame + first + at * WORD)));
        return { name, value: value ?? UNAVAILABLE };
      }),
    }));
    return { calls, omitted };
  } finally {
    words.close();
  }
}

type PlacedCall = Omit<BlockedCall, 'parameters'>;

/** @param called the function that it has called @param known places of such calls: a recursion has many */
function placeOf(found: HeapFunction | undefined, called: HeapFunction | undefined, known: Map<string, PlacedCall>): PlacedCall {
  const { name = '', url = '', text, range } = found ?? {};
  if (text === undefined || range === undefined) return { name, url, line: 0, column: 0, isBeginning: false };
  const key = JSON.stringify([url, range, called?.name]);
  const same = known.get(key);
  if (same !== undefined) return same;
  const at = called && calledAt(text, range, called.name);
  const before = text.slice(0, at ?? range[0]);
  const place = endOf(prefixOf(text) === undefined ? before : restore(before));
  const placed = { name, url, ...place, isBeginning: at === undefined };
  known.set(key, placed);
  return placed;
}

/** The names of the parameters of a function whose list has nothing but names. */
function namesOf(found: HeapFunction | undefined): readonly string[] | undefined {
  if (found?.text === undefined || found.range === undefined) return undefined;
  const [, list, single] = PARAMETERS.exec(found.text.slice(...found.range)) ?? [];
  if (single !== undefined) return [single];
  return list
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** After how many of the calls others are left out. */
export const BLOCKED_CUT = INNER;

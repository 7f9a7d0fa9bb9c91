import { readFileSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { type BlockedCall, describedCalls } from './described-calls.js';
import { StackFrames } from './stack-frames.js';
import { V8Heap } from './v8-heap.js';
import { v8Layout } from './v8-layout.js';
import { Words } from './words.js';

/** How often it is tried to read a stack that the thread has not used meanwhile. */
const ATTEMPTS = 3;
/** The most calls of a stack that are described: those at its inner end, and those at its outer end. */
const INNER = 100;
const OUTER = 50;

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
    const calls = describedCalls(shown, { words, layout, heap });
    return { calls, omitted };
  } finally {
    words.close();
  }
}

/** After how many of the calls others are left out. */
export const BLOCKED_CUT = INNER;

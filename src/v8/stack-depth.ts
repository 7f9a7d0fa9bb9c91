import { closeSync, openSync, readFileSync, readSync } from '../base/untraced-fs.js';
import type { StackDepth } from './call-stack.js';

/** A thread that reads its own file gets the system call that reads: its number, arguments, stack pointer, instruction. */
const SYSCALL = '/proc/thread-self/syscall';
const MEMORY = '/proc/self/mem';
/** What is searched for the argument below; frames of one read are smaller in every version of Node. */
const SEARCHED_BYTES = 32768;
/** A larger number is no stack size: the file was closed, and another one has its descriptor. */
const LARGEST = 2 ** 30;
/** An argument that stands nowhere else on the stack. */
const MARKER = 0x2b5ac9f3;
/** Where the initial stack of the process begins, in /proc/self/stat after the name, from 0. */
const START_STACK = 25;

const SPACE = 0x20;
const LETTER_X = 0x78;

/**
 * Measures the calling thread's stack in bytes: the distance from where it began to the stack pointer, native frames
 * included. Undefined where the system does not tell the stack pointer.
 */
export function createStackDepth(): StackDepth | undefined {
  let file: number;
  try {
    file = openSync(SYSCALL, 'r');
  } catch {
    return undefined;
  }
  const bytes = Buffer.alloc(256);

  /** Where the stack pointer was when the kernel was asked. `onRead` may look at the stack as it was then. */
  function stackPointer(_marker: number, onRead?: (pointer: number) => void): number {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    let at = length - 1;
    while (at > 0 && bytes[at] !== SPACE) at--;
    let pointer = 0;
    let weight = 1;
    for (at--; at > 0 && bytes[at] !== LETTER_X; at--) {
      const digit = bytes[at]!;
      pointer += (digit >= 0x61 ? digit - 0x57 : digit - 0x30) * weight;
      weight *= 16;
    }
    onRead?.(pointer);
    return pointer;
  }

  try {
    const own = ownBytes(stackPointer);
    const begin = stackBegin(stackPointer(0)) - own;
    const measure = (): number => {
      const bytes = begin - stackPointer(0);
      return bytes > 0 && bytes < LARGEST ? bytes : 0;
    };
    const depth = Object.assign(measure, { end: () => closeSync(file) });
    if (depth() > 0) return depth;
  } catch {
    // Not told here.
  }
  closeSync(file);
  return undefined;
}

/**
 * How much of the stack the measuring itself takes (tracer_frame in the kernel): from the argument of a call, which the
 * caller put on top of the stack, to the stack pointer. 0 when it is not found.
 */
function ownBytes(stackPointer: (marker: number, onRead: (pointer: number) => void) => number): number {
  const memory = openSync(MEMORY, 'r');
  try {
    const stack = Buffer.alloc(SEARCHED_BYTES);
    let length = 0;
    stackPointer(MARKER, (pointer) => {
      length = readSync(memory, stack, 0, SEARCHED_BYTES, pointer);
    });
    // A small integer is in the upper half of its word, or doubled in the lower one where V8 compresses pointers.
    for (let at = 0; at + 8 <= length; at += 4) if (stack.readUInt32LE(at) === MARKER) return at - (at % 8);
    return 0;
  } finally {
    closeSync(memory);
  }
}

/** Where the stack with this pointer in it begins, at its highest address. */
function stackBegin(pointer: number): number {
  const start = Number(readFileSync('/proc/self/stat', 'latin1').split(') ').pop()!.split(' ')[START_STACK]);
  for (const [, from, to] of readFileSync('/proc/self/maps', 'latin1').matchAll(/^([0-9a-f]+)-([0-9a-f]+) /gm)) {
    const end = Number.parseInt(to!, 16);
    if (pointer < Number.parseInt(from!, 16) || pointer >= end) continue;
    // The main thread's mapping also holds the arguments and the environment, above the stack.
    return start > pointer && start < end ? start : end;
  }
  throw new Error('the stack is not in the list of mappings');
}

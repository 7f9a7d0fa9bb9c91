import { attempt } from '../../base/attempt.js';
import { processMachine } from '../machines/process-machine.js';
import { type AddressRange, bytesIn, isWithin } from '../process/address-range.js';
import { type MappedRange, processMaps } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { hasWord, type MemoryWord, residentParts } from '../process/resident-words.js';
import type { StoppedThread } from '../process/stop.js';
import { idInside } from '../process/tasks.js';
import { OpenCalls } from './open-calls.js';
import { isUnwinding } from './unwinding.js';

/**
 * Bytes of a stack, and of a process's memory, that are looked through while it is stopped. What has more may have a way back.
 */
const MOST_STACK = 2 ** 24;
const MOST_MEMORY = 2 ** 28;

/** Code to which no text leads any more. */
export interface EndedCode {
  readonly code: readonly AddressRange[];
  /** The address of its arena. */
  readonly arena: number;
  /** Memory of its own: the arena, rings. */
  readonly memory: readonly AddressRange[];
}

/**
 * Gives all open calls of a stopped process their return addresses back, and finds out whether a thread may still come to code:
 * it stands there; a signal has interrupted it there, which its stack says; or it returns there by a stack that was copied, as
 * some coroutines are. The code calls nothing outside, so no other address of it is returned to. A call whose place is on the
 * part of a stack that is in use cannot be such a copy. For all others the memory of the process is looked through, where also
 * that is found which a signal handler has left for another stack. An unwinder that is at work for an exception keeps return
 * addresses which it has read before, and asks the code's table about them. Where return addresses are in registers, a thread may
 * always come back.
 */
export function hasWaysBack(memory: ProcessMemory, threads: readonly StoppedThread[], ended: EndedCode): boolean {
  const open = new OpenCalls(memory, ended.arena);
  const calls = open.giveBack(processMachine.hasLinkRegister ? threads.map(({ sp }) => sp) : undefined);
  if (processMachine.hasLinkRegister || threads.some(({ pc }) => isWithin(pc, ended.code))) return true;
  const maps = processMaps(memory.pid);
  const stacks = stacksInUse(memory.pid, maps, threads, open);
  if (sizeOf(stacks) > MOST_STACK) return true;
  const exits = new Set<number>();
  const leads = (word: MemoryWord): boolean => exits.has(word.value) || isInterrupted(memory, word);
  if (hasWord(memory, stacks, ended.code, leads)) return true;
  if (calls.length > 0 && isUnwinding(memory, maps, threads, stacks)) return true;
  if (calls.every(({ slot }) => isWithin(slot, stacks))) return false;
  for (const { exit } of calls) exits.add(exit);
  const others = attempt(() => otherMemory(memory.pid, maps, threads, open, [...ended.memory, ...stacks]));
  return others === undefined || sizeOf(others) > MOST_MEMORY || hasWord(memory, others, ended.code, leads);
}

const sizeOf = (parts: readonly AddressRange[]): number => parts.reduce((sum, part) => sum + bytesIn(part), 0);

/** Whether a word is the place where a thread goes on that a signal has interrupted. */
function isInterrupted(memory: ProcessMemory, { address }: MemoryWord): boolean {
  const { interrupted } = processMachine;
  const bytes = interrupted && attempt(() => memory.read(address, interrupted.bytes));
  return bytes !== undefined && interrupted!.is(new DataView(bytes.buffer));
}

/**
 * The parts of stacks that threads use. A thread whose stack pointer is on another stack than its own, as in many signal
 * handlers, uses an unknown part of its own.
 */
function stacksInUse(
  pid: number,
  maps: readonly MappedRange[],
  threads: readonly StoppedThread[],
  calls: OpenCalls,
): readonly AddressRange[] {
  const present = threads.flatMap(({ sp }) => {
    const stack = maps.find((range) => isWithin(sp, [range]));
    return stack === undefined ? [] : [{ start: sp, end: stack.end }];
  });
  const tids = new Set(threads.map(({ tid }) => tid));
  const areKnown = idInside(pid) === pid;
  const others = calls.threads.filter(
    ({ tid, stack }) => (tids.has(tid) || !areKnown) && !threads.some(({ sp }) => isWithin(sp, [stack])),
  );
  return [...present, ...others.map(({ stack }) => stack)];
}

/**
 * The memory of a process that can be written, without some ranges and what lies below the stack pointers of threads on their own
 * stacks.
 */
function otherMemory(
  pid: number,
  maps: readonly MappedRange[],
  threads: readonly StoppedThread[],
  calls: OpenCalls,
  without: readonly AddressRange[],
): readonly AddressRange[] {
  const unused = calls.threads.flatMap(({ stack }) => {
    const sp = threads.find((thread) => isWithin(thread.sp, [stack]))?.sp;
    return sp === undefined ? [] : [{ start: stack.start, end: sp }];
  });
  return maps
    .filter(({ permissions }) => permissions[1] === 'w')
    .flatMap((range) => [...unused, ...without].reduce(minus, [range]))
    .flatMap((range) => residentParts(pid, range));
}

/** Ranges without another one. */
const minus = (ranges: readonly AddressRange[], { start, end }: AddressRange): readonly AddressRange[] =>
  ranges.flatMap((range) => {
    const parts = [
      { start: range.start, end: Math.min(range.end, start) },
      { start: Math.max(range.start, end), end: range.end },
    ];
    return end <= range.start || start >= range.end ? [range] : parts.filter((part) => part.end > part.start);
  });

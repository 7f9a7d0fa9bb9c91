import {
  BigIntAsUintN as asUintN,
  BigInt_ as bigInt,
  BigIntPrototypeToString as bigToString,
  NumberIsInteger as isInteger,
  NumberPrototypeToString as numberToString,
  ReflectApply as reflectApply,
} from '../../base/primordials.js';
import { BUSY, CALLBACK, INTERRUPTED } from '../../ftrace/fgraph.js';
import { SymbolTable } from '../../ftrace/symbols.js';
import type { PointSymbol } from '../../probes/probe-point.js';
import type { StackDepth } from '../call-stack.js';
import type { ForeignCallers } from '../realm/find-caller.js';
import { textAddress } from '../text-region.js';
import { lost, torn } from '../tracers/lost.js';
import type { ThreadTrace } from '../tracers/thread-trace.js';
import { type EventTime, eventTime } from './event-time.js';
import { createAddressOf } from './function-address.js';

/** What a field shows when its value could not be taken. */
const FAULT = '(fault)';

/** The most callers that `$stackN` can name. */
const MAX_CALLERS = 64;

/** The hexadecimal digits of an address; what is none is 0. */
const hexOf = (address: number): string => bigToString(asUintN(64, isInteger(address) ? bigInt(address) : 0n), 16);

/** `sum+0x1b/0x34 [package]` (sprint_symbol in kernel/kallsyms.c). */
const symbolText = ({ name, module, size }: PointSymbol, offset: number): string =>
  `${name}+0x${numberToString(offset, 16)}/0x${numberToString(size, 16)}${module === '' ? '' : ` [${module}]`}`;

/** What the code that is generated for events finds on its thread. One for each thread. */
export interface EventNeeds {
  /** An event is being recorded: what happens meanwhile is fentry's own doing. */
  isInside: boolean;
  /** How many events are being recorded that actions of others have caused. */
  nested: number;
  readonly cpu: number;
  readonly clock: () => number;
  /** When what is recorded happened, if that was earlier. */
  readonly eventTime: EventTime;
  /** The name of the running task. */
  comm(): string;
  /** The address of a function's text, or of its name where it has no site; 0 for what is none. */
  addressOf(value: unknown): number;
  /** The symbol of a function or an address as text, `sum+0x0/0x34`; an address that has none in hexadecimal. */
  symbolText(value: unknown): string;
  /** Symbols for `symbolText`: more, or with none, none any more. */
  addSymbols(symbols: readonly PointSymbol[]): void;
  /** The address of function `n`. */
  functionAddress(n: number): number;
  /** The address of the N-th caller of what runs, from 0, or 0. @param deepest the last that sameCallerAt will be asked for */
  callerAt(index: number, deepest?: number): number;
  /** The caller in the stack that the last `callerAt` has walked. */
  sameCallerAt(index: number): number;
  /** Bytes of the stack in use; 0 if the system does not show them. */
  stackBytes(): number;
  /** Until `leaveCallback` nothing that is called is traced. */
  enterCallback(): number;
  leaveCallback(busy: number): void;
  /** The values of the fields, one getter after the other: of those that throw a mark. */
  oneByOne(getters: readonly ((...args: unknown[]) => unknown)[], args: readonly unknown[]): unknown[];
  /** The word that is not 0 while records are printed, too: `flags[printkAt]`. */
  readonly flags: Int32Array;
  readonly printkAt: number;
  /** Prints the record of `size` bytes at word `at`. */
  printk(words: Uint32Array, at: number, size: number, ts: number): void;
  /** A record could not be reserved; and the stack overflowed. */
  lost(): void;
  torn(): void;
  /** Gives back what it took of the system. */
  end(): void;
}

/** How records are printed while they are written (tp_printk). */
export interface Printk {
  /** While this word is not 0. */
  readonly words: Int32Array;
  readonly at: number;
  /** Returns when it is done. Does not throw. */
  readonly print: (record: Uint8Array, ts: number) => void;
}

/** What the environment needs of its thread. */
export interface EnvironmentNeeds {
  readonly cpu: number;
  /** The name of the task that runs, whose pid it is. */
  readonly comm: (pid: number) => string;
  /** The console. */
  readonly printk: Printk;
  /** Gives functions without sites an address. */
  readonly foreign: () => ForeignCallers;
}

/** Creates the environment of a thread. */
export function createEnvironment(trace: ThreadTrace, { cpu, comm, printk, foreign }: EnvironmentNeeds): EventNeeds {
  const { state } = trace.fgraph;
  const callers = new Uint32Array(MAX_CALLERS);
  let frames = 0;
  let measure: StackDepth | undefined;
  let symbols: SymbolTable | undefined;
  const addressOf = createAddressOf(trace, foreign);
  return {
    isInside: false,
    nested: 0,
    cpu,
    clock: trace.clock,
    eventTime,
    comm: () => comm(trace.pid),
    addressOf,
    symbolText(value) {
      if (typeof value !== 'function' && typeof value !== 'number') return FAULT;
      const address = addressOf(value);
      const symbol = symbols?.find(address) ?? foreign().symbolAt(address);
      return symbol === undefined ? `0x${hexOf(address)}` : symbolText(symbol, address - symbol.address);
    },
    addSymbols(more) {
      if (more.length === 0) symbols = undefined;
      else (symbols ??= new SymbolTable()).add(more.map((one) => ({ ...one, params: [], type: 't' })));
    },
    functionAddress: (n) => textAddress(trace.addresses[n]!),
    callerAt(index, deepest = index) {
      // No more of the stack than is asked for: each frame costs.
      frames = trace.walkStack(callers.subarray(0, deepest + 2), false);
      return this.sameCallerAt(index);
    },
    sameCallerAt: (index) => (index + 1 < frames ? textAddress(callers[index + 1]!) : 0),
    stackBytes() {
      measure ??= trace.createStackDepth();
      return measure?.() ?? 0;
    },
    enterCallback() {
      const busy = state[BUSY]!;
      state[BUSY] = busy | CALLBACK;
      return busy;
    },
    leaveCallback(busy) {
      state[BUSY] = busy | (state[BUSY]! & INTERRUPTED);
    },
    oneByOne(getters, args) {
      const values: unknown[] = [];
      for (let i = 0; i < getters.length; i++) {
        try {
          values[i] = reflectApply(getters[i]!, undefined, args as never);
        } catch {
          values[i] = FAULT;
        }
      }
      return values;
    },
    flags: printk.words,
    printkAt: printk.at,
    printk(words, at, size, ts) {
      printk.print(new Uint8Array(words.buffer.slice(at << 2, (at << 2) + size)), ts);
    },
    lost: () => void lost(trace),
    torn: () => void torn(trace),
    end() {
      measure?.end();
      measure = undefined;
    },
  };
}

import { TraceError } from '../../base/errno.js';
import { OPERATION } from '../code/arena.js';
import type { OperationName } from '../code/operations.js';
import type { NativeArena } from './native-arena.js';
import type { SiteTargets } from './site-targets.js';

/** An operation: what its routine takes are numbers or addresses. */
export interface RoutineOperation {
  readonly name: OperationName;
  readonly a: number;
  readonly b?: number;
  readonly c?: number;
}

const textOf = ({ name, a, b = 0, c = 0 }: RoutineOperation): string => `${name} ${a} ${b} ${c}`;

/**
 * Lists of operations in the traced process. Equal ones are the same; a list is never changed, because a thread may be in the
 * midst of it.
 */
export class NativeOperations {
  readonly #arena: NativeArena;
  readonly #targets: SiteTargets;
  readonly #lists = new Map<string, number>();
  #end: number;

  constructor(arena: NativeArena, targets: SiteTargets) {
    this.#arena = arena;
    this.#targets = targets;
    // 0 says that there is no list.
    this.#end = arena.layout.operations + OPERATION.BYTES;
  }

  /** The number of a list, as the table of functions has it. @throws TraceError ENOMEM */
  list(operations: readonly RoutineOperation[]): number {
    if (operations.length === 0) return 0;
    const key = operations.map(textOf).join();
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const words = new BigInt64Array((operations.length + 1) * (OPERATION.BYTES / 8));
    for (const [i, { name, a, b = 0, c = 0 }] of operations.entries()) {
      words.set([this.#targets.operation(name), a, b, c].map(BigInt), i * (OPERATION.BYTES / 8));
    }
    const at = this.#end;
    if (at + words.byteLength > this.#arena.layout.blocks) throw new TraceError('ENOMEM', 'the memory for commands is full');
    this.#arena.setBytes(this.#arena.start + at, new Uint8Array(words.buffer));
    this.#end = at + words.byteLength;
    this.#lists.set(key, at);
    return at;
  }
}

import type { FoundKprobe, FoundStatement } from './kprobe-planner.js';
import type { KprobeStand, StandContext } from './kprobe-stand.js';
import type { NamedValues } from './place-members.js';

/**
 * The site of one statement that calls kprobes. It is before its statement, so post handlers wait: they are called when the next
 * statement of the same call begins, or when the call returns.
 */
export class StatementStand implements KprobeStand {
  readonly #context: StandContext;
  #statement: FoundStatement;
  #remove: (() => void) | undefined;

  constructor(context: StandContext, statement: FoundStatement) {
    this.#context = context;
    this.#statement = statement;
  }

  /** Takes the statement's outcomes: without a post handler it has none. */
  joined({ statement }: FoundKprobe): void {
    if (statement !== undefined && statement.next.length > 0) this.#statement = statement;
  }

  arm(): void {
    const { found, planner } = this.#context;
    this.#remove ??= planner.statements(found.n, (index, values) => this.#began(index, values));
  }

  disarm(): void {
    this.#remove?.();
    this.#remove = undefined;
  }

  /** A statement of the function begins. */
  #began(index: number, values: readonly unknown[]): void {
    const { ends, members, planner } = this.#context;
    const isHere = index === this.#statement.index;
    if (!isHere && !ends.isWaiting) return;
    const isHeard = planner.inCallback(() => {
      const all = namedValues(this.#statement.names[index] ?? [], values);
      if (ends.isWaiting) ends.next(this.#statement.next[index], all);
      if (isHere && members.pre(all)) ends.wait();
    });
    if (!isHeard && isHere) members.missed();
  }
}

function namedValues(names: readonly string[], values: readonly unknown[]): NamedValues {
  const all: Record<string, unknown> = Object.create(null);
  names.forEach((name, i) => {
    all[name] = values[i];
  });
  return all;
}

import type { FoundKprobe, FoundStatement, KprobePlanner } from './kprobe-planner.js';
import { MiddleKprobes } from './middle-kprobes.js';
import type { NamedValues, PlaceMember } from './place-members.js';

/**
 * The kprobes at the site of one statement. A site is before its statement, so post handlers wait: they are called when the next
 * statement of the same call begins, or when the call returns.
 */
export class StatementKprobes extends MiddleKprobes {
  readonly #n: number;
  #statement: FoundStatement;
  readonly #planner: KprobePlanner;
  #remove: (() => void) | undefined;

  /** @param id an ops id */
  constructor(id: number, found: FoundKprobe, statement: FoundStatement, planner: KprobePlanner) {
    super(id, found, planner);
    this.#n = found.n;
    this.#statement = statement;
    this.#planner = planner;
  }

  /** @param statement what was found for this one: without a post handler it has no outcomes */
  joinAt(member: PlaceMember, statement: FoundStatement): Promise<void> {
    if (statement.next.length > 0) this.#statement = statement;
    return this.join(member);
  }

  protected arm(): void {
    this.#remove ??= this.#planner.statements(this.#n, (index, values) => this.#began(index, values));
  }

  protected disarm(): void {
    this.#remove?.();
    this.#remove = undefined;
  }

  /** A statement of the function begins. */
  #began(index: number, values: readonly unknown[]): void {
    const isHere = index === this.#statement.index;
    if (!isHere && !this.ends.isWaiting) return;
    const isHeard = this.#planner.inCallback(() => {
      const all = namedValues(this.#statement.names[index] ?? [], values);
      if (this.ends.isWaiting) this.ends.next(this.#statement.next[index], all);
      if (isHere && this.members.pre(all)) this.ends.wait();
    });
    if (!isHeard && isHere) this.members.missed();
  }
}

function namedValues(names: readonly string[], values: readonly unknown[]): NamedValues {
  const all: Record<string, unknown> = Object.create(null);
  names.forEach((name, i) => {
    all[name] = values[i];
  });
  return all;
}

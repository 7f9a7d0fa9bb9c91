import type { FoundKprobe, FoundStatement, KprobePlanner } from './kprobe-planner.js';
import { MiddleKprobes } from './middle-kprobes.js';
import type { NamedValues, PlaceMember } from './place-members.js';
import { StatementEnds } from './statement-ends.js';

/**
 * The kprobes at the site of one statement. A site is before its statement, so post handlers wait: they are called when the next statement of
 * the same call begins, or when the call returns.
 */
export class StatementKprobes extends MiddleKprobes {
  readonly #n: number;
  #statement: FoundStatement;
  readonly #planner: KprobePlanner;
  readonly #ends: StatementEnds;
  #remove: (() => void) | undefined;

  /** @param id an ops id */
  constructor(id: number, found: FoundKprobe, statement: FoundStatement, planner: KprobePlanner) {
    super();
    this.#n = found.n;
    this.#statement = statement;
    this.#planner = planner;
    this.#ends = new StatementEnds(id, found, planner, this.members);
  }

  /** @param statement what was found for this one: without a post handler it has no outcomes */
  joinAt(member: PlaceMember, statement: FoundStatement): Promise<void> {
    if (statement.next.length > 0) this.#statement = statement;
    return this.join(member);
  }

  async arrange(): Promise<void> {
    if (!this.isWanted) this.#disarm();
    // A probe without a post handler does not wait for the sites of the calls.
    if (this.hasPost || this.#ends.isOn) await this.#ends.follow(() => this.hasPost);
    if (this.isWanted) this.#remove ??= this.#planner.statements(this.#n, (index, values) => this.#began(index, values));
  }

  #disarm(): void {
    this.#remove?.();
    this.#remove = undefined;
  }

  /** A statement of the function begins. */
  #began(index: number, values: readonly unknown[]): void {
    const isHere = index === this.#statement.index;
    if (!isHere && !this.#ends.isWaiting) return;
    const isHeard = this.#planner.inCallback(() => {
      const all = namedValues(this.#statement.names[index] ?? [], values);
      if (this.#ends.isWaiting) this.#ends.next(this.#statement.next[index], all);
      if (isHere && this.members.pre(all)) this.#ends.wait();
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

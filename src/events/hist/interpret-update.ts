import type { Long } from '../c-types.js';
import type { HistPlan, PlanAction, PlanKey, PlanValue, PlanVariable } from './plan.js';
import type { UpdaterHelpers } from './updater-helpers.js';

/** An event that is hit. */
export interface HitEvent {
  /** The fields by name, and `common_pid` and the like. */
  readonly slots: Readonly<Record<string, unknown>>;
  /** In units of the trace clock. */
  readonly timestamp: number;
  /** Whether these are nanoseconds. */
  readonly isNanoseconds: boolean;
  readonly cpu: number;
  readonly comm: string;
  readonly stack: readonly Long[];
}

/** One update, step by step: what the generated source does, for threads that must not generate code, and to test it against. */
class Update {
  readonly #plan: HistPlan;
  readonly #helpers: UpdaterHelpers;
  readonly #event: HitEvent;
  readonly #references: (Long | string)[] = [];

  constructor(plan: HistPlan, helpers: UpdaterHelpers, event: HitEvent) {
    this.#plan = plan;
    this.#helpers = helpers;
    this.#event = event;
  }

  #number(value: PlanValue): Long {
    const help = this.#helpers;
    const { slots, timestamp, isNanoseconds, cpu } = this.#event;
    switch (value.op) {
      case 'slot':
        return help.long(slots[value.name]);
      case 'constant':
        return value.value;
      case 'timestamp':
        return value.inMicroseconds && isNanoseconds ? help.microseconds(timestamp) : timestamp;
      case 'cpu':
        return cpu;
      case 'comm':
        return 0;
      case 'log2':
        return help.log2(this.#number(value.of));
      case 'bucket':
        return help.bucket(this.#number(value.of), value.size);
      case 'negate':
        return help.subtract(0, this.#number(value.of));
      case 'reference':
        return help.long(this.#references[value.index]);
      case '+':
        return help.add(this.#number(value.left), this.#number(value.right));
      case '-':
        return help.subtract(this.#number(value.left), this.#number(value.right));
      case '*':
        return help.multiply(this.#number(value.left), this.#number(value.right));
      case '/':
        return help.divide(this.#number(value.left), this.#number(value.right), value.isConstant);
    }
  }

  #text(value: PlanValue): string {
    const { slots, comm } = this.#event;
    const text = value.op === 'slot' ? slots[value.name] : value.op === 'reference' ? this.#references[value.index] : '';
    if (value.op === 'comm') return comm;
    return typeof text === 'string' ? text : '';
  }

  #putKey(key: PlanKey): void {
    const help = this.#helpers;
    const words = key.kind === 'text' ? key.words : 0;
    if (key.kind === 'stack') help.putStackKey(help.key, key.at, key.depth, this.#event.stack, 2 * key.depth);
    else if (key.kind === 'number') help.putKey(help.key, key.at, this.#number(key.value));
    else help.putTextKey(help.key, help.keyBytes, key.at, key.room, this.#text(key.value), words);
  }

  /** The references to other tables; false if one of them has no value. */
  #resolve(hash: number): boolean {
    const help = this.#helpers;
    return this.#plan.references.every((reference, i) => {
      if (reference.kind === 'own') return true;
      const map = help.maps[reference.map]!;
      const entry = help.lookUpIn(map, hash, help.key, this.#plan.keyWords);
      if (entry < 0 || !help.isSet(map, entry, reference.index)) return false;
      const { text, index } = reference;
      this.#references[i] = text === undefined ? help.readVariable(map, entry, index) : help.readText(map, entry, text);
      if (reference.once) help.unset(map, entry, index);
      return true;
    });
  }

  #setVariable(entry: number, { index, value, text, room }: PlanVariable): void {
    const help = this.#helpers;
    if (text === undefined) help.setVariable(help.map, entry, index, this.#number(value));
    else help.setText(help.map, entry, index, text, room, this.#text(value));
  }

  #act(entry: number, action: PlanAction, index: number): void {
    const help = this.#helpers;
    const { tracking } = action;
    const followed = tracking === undefined ? 0 : help.long(this.#references[tracking.reference]);
    if (tracking !== undefined && !help.isNew(help.map, entry, tracking.variable, followed, tracking.isMax)) return;
    if (action.kind === 'save') for (const saved of action.saved) this.#setVariable(entry, saved);
    else if (action.kind === 'trace') help.traces[index]!(...action.values.map((value) => this.#references[value]!));
    else if (help.noteSnapshot(help.map, entry, followed, tracking!.isMax)) help.snapshot();
  }

  run(): void {
    const help = this.#helpers;
    const { keys, keyWords, keepsComm, sums, variables, references, actions } = this.#plan;
    if (help.state[0] === 1) return;
    for (const key of keys) this.#putKey(key);
    const hash = help.hashOf(help.key, keyWords);
    if (!this.#resolve(hash)) return;
    const entry = help.insert(help.map, hash, help.key, keyWords, keepsComm ? this.#event.comm : '');
    if (entry < 0) return;
    const { words, sumsAt } = help.map;
    help.countHit(words, entry + sumsAt);
    for (const [i, value] of sums.entries()) help.addLong(words, entry + sumsAt + 2 * (i + 1), this.#number(value));
    for (const variable of variables) this.#setVariable(entry, variable);
    for (const [i, reference] of references.entries()) {
      if (reference.kind === 'own') {
        this.#references[i] = reference.isText ? this.#text(reference.value) : this.#number(reference.value);
      }
    }
    for (const [i, action] of actions.entries()) this.#act(entry, action, i);
  }
}

/** Updates the table of a plan without generated code. Costs microseconds. */
export const interpretUpdate = (plan: HistPlan, helpers: UpdaterHelpers, event: HitEvent): void =>
  new Update(plan, helpers, event).run();

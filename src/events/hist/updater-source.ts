import { openMap, type ThreadMap } from './map-update.js';
import type { HistPlan, PlanAction, PlanKey, PlanReference, PlanTracking, PlanValue, PlanVariable } from './plan.js';
import { HEADER_WORDS } from './tracing-map.js';
import type { UpdaterHelpers } from './updater-helpers.js';

/**
 * The event that is hit, as JavaScript expressions of the place where the source is put. Each is evaluated at most once but for
 * locals.
 */
export interface SlotSources {
  /** A field of the event, or `common_pid`, `common_type`, `common_flags`, `common_preempt_count`: the name of a local. */
  readonly slot: (name: string) => string;
  /** The event's time in units of the trace clock, a local. */
  readonly timestamp: string;
  /** Whether these are nanoseconds. */
  readonly isNanoseconds: string;
  readonly cpu: string;
  /** The task's comm; evaluated only if a key or variable needs it. */
  readonly comm: string;
  /** The addresses of the stack, innermost first; evaluated only for a stack key. */
  readonly stack: string;
}

/** A number's expression: `uint`, `int` with 32 bits, else a number or bigint. */
interface Numeric {
  readonly code: string;
  readonly kind: 'uint' | 'int' | 'long';
}

const BINARY: Readonly<Record<'+' | '-' | '*', keyof UpdaterHelpers>> = { '+': 'add', '-': 'subtract', '*': 'multiply' };

/** Writes the source for one plan; `prefix` begins the names of everything it declares or refers to. */
class Writer {
  readonly #plan: HistPlan;
  readonly #sources: SlotSources;
  readonly #prefix: string;

  /** The own table: where its words are is constant in the text. */
  readonly #map: ThreadMap;
  /** A key that is looked up in other tables, or that is not all numbers, lies in a buffer. */
  readonly #isBuffered: boolean;

  constructor(plan: HistPlan, sources: SlotSources, prefix: string) {
    this.#map = openMap(plan.maps[0]!);
    this.#isBuffered = plan.keys.some(({ kind }) => kind !== 'number') || plan.references.some(({ kind }) => kind === 'other');
    this.#plan = plan;
    this.#sources = sources;
    this.#prefix = prefix;
  }

  #help(name: keyof UpdaterHelpers): string {
    return `${this.#prefix}.${name}`;
  }

  #call(name: keyof UpdaterHelpers, ...args: (string | number)[]): string {
    return `${this.#help(name)}(${args.join(', ')})`;
  }

  #numeric(value: PlanValue): Numeric {
    const { timestamp, isNanoseconds, slot, cpu } = this.#sources;
    const long = (code: string): Numeric => ({ code, kind: 'long' });
    switch (value.op) {
      case 'slot':
        if (value.kind === 'text' || value.kind === 'none') return { code: '0', kind: 'uint' };
        return value.kind === 'long' ? long(this.#call('long', slot(value.name))) : { code: slot(value.name), kind: value.kind };
      case 'constant':
        return long(typeof value.value === 'bigint' ? `${value.value}n` : String(value.value));
      case 'timestamp':
        if (!value.inMicroseconds) return long(timestamp);
        return long(`(${isNanoseconds} ? ${this.#call('microseconds', timestamp)} : ${timestamp})`);
      case 'cpu':
        return { code: cpu, kind: 'uint' };
      case 'comm':
        return { code: '0', kind: 'uint' };
      case 'log2':
        return { code: this.#call('log2', this.#numeric(value.of).code), kind: 'uint' };
      case 'bucket':
        return long(
          this.#call('bucket', this.#numeric(value.of).code, this.#numeric({ op: 'constant', value: value.size }).code),
        );
      case 'negate':
        return long(this.#call('subtract', 0, this.#numeric(value.of).code));
      case 'reference':
        return this.#isText(value.index) ? { code: '0', kind: 'uint' } : long(this.#reference(value.index));
      case '/':
        return long(
          this.#call('divide', this.#numeric(value.left).code, this.#numeric(value.right).code, String(value.isConstant)),
        );
      default:
        return long(this.#call(BINARY[value.op], this.#numeric(value.left).code, this.#numeric(value.right).code));
    }
  }

  /** The value as a text's expression. */
  #text(value: PlanValue): string {
    if (value.op === 'comm') return this.#sources.comm;
    if (value.op === 'reference') return this.#reference(value.index);
    return value.op === 'slot' && value.kind === 'text' ? this.#sources.slot(value.name) : "''";
  }

  #isText(reference: number): boolean {
    const found = this.#plan.references[reference]!;
    return found.kind === 'own' ? found.isText : found.text !== undefined;
  }

  /** The local that has a reference's value. */
  #reference(index: number): string {
    return `${this.#prefix}r${index}`;
  }

  /** A reference's value as a number; a text counts as 0. */
  #referredNumber(index: number): string {
    return this.#isText(index) ? '0' : this.#reference(index);
  }

  /** The local that has a word of a key of numbers. */
  #word(index: number): string {
    return `${this.#prefix}k${index}`;
  }

  /** A number's words as locals, and the hash with them. */
  #numberKey({ at, value }: PlanKey & { kind: 'number' }): string {
    const help = this.#prefix;
    const { code, kind } = this.#numeric(value);
    const [low, high] = [this.#word(at), this.#word(at + 1)];
    const step = (word: string, index: number): string =>
      `if (${word} !== 0) ${help}h = ${this.#call('hashStep', `${help}h`, word, index)};`;
    if (kind === 'uint') return `const ${low} = ${code} | 0, ${high} = 0; ${step(low, at)}`;
    const words =
      kind === 'int'
        ? `const ${low} = ${code} | 0, ${high} = ${low} >> 31;`
        : `const ${help}v${at} = ${code}, ${low} = ${this.#call('lowWord', `${help}v${at}`)}, ${high} = ${this.#call('highWord', `${help}v${at}`)};`;
    return `${words} ${step(low, at)} ${step(high, at + 1)}`;
  }

  /** Puts a key into the buffer, and its words into the hash. */
  #bufferedKey(key: PlanKey, index: number): string {
    const help = this.#prefix;
    if (key.kind === 'number') {
      const store = [key.at, key.at + 1].map((at) => `${help}.key[${at}] = ${this.#word(at)};`);
      return `${this.#numberKey(key)} ${store.join(' ')}`;
    }
    const taken = `${help}.taken[${index}]`;
    const put =
      key.kind === 'stack'
        ? this.#call('putStackKey', `${help}.key`, key.at, key.depth, this.#sources.stack, taken)
        : this.#call('putTextKey', `${help}.key`, `${help}.keyBytes`, key.at, key.room, this.#text(key.value), taken);
    return `${taken} = ${put};
      ${help}h = ${this.#call('hashWords', `${help}h`, `${help}.key`, key.at, `${key.at} + ${taken}`)};`;
  }

  /** Finds or makes the entry of the key: the first slot is looked at here, what is rarer is done by a function. */
  #insert(): string {
    const { keys, keyWords, keepsComm } = this.#plan;
    const help = this.#prefix;
    const comm = keepsComm ? this.#sources.comm : "''";
    const insert = (count: string): string => this.#call('insert', `${help}.map`, `${help}h`, `${help}.key`, count, comm);
    if (this.#isBuffered) {
      // A last text or stack is compared up to the word behind its end.
      const last = keys.at(-1)!;
      const count = `${last.at} + ${help}.taken[${keys.length - 1}] + 2`;
      const isShort = last.kind !== 'number';
      return `const ${help}e = ${insert(isShort ? `${count} < ${keyWords} ? ${count} : ${keyWords}` : String(keyWords))};`;
    }
    const words = Array.from({ length: keyWords }, (_, i) => i);
    const isSame = words.map((i) => `${help}w[${help}e + ${i}] === ${this.#word(i)}`).join(' && ');
    const { mask, shift } = this.#map;
    return `
      const ${help}s = ${HEADER_WORDS} + 2 * (${help}h >>> ${shift} & ${mask});
      let ${help}e = ${help}w[${help}s] === ${help}h ? ${help}w[${help}s + 1] : 0;
      if (${help}e <= 0 || !(${isSame})) {
        ${words.map((i) => `${help}.key[${i}] = ${this.#word(i)};`).join(' ')}
        ${help}e = ${insert(String(keyWords))};
      }`;
  }

  /** Looks a reference's variable up in another table; without it there is no update. */
  #lookUp(reference: PlanReference, index: number): string {
    if (reference.kind === 'own') return '';
    const [help, at, map] = [this.#prefix, `${this.#prefix}a${index}`, `${this.#prefix}.maps[${reference.map}]`];
    const value =
      reference.text === undefined
        ? this.#call('readVariable', map, at, reference.index)
        : this.#call('readText', map, at, reference.text);
    return `
      const ${at} = ${this.#call('lookUpIn', map, `${help}h`, `${help}.key`, this.#plan.keyWords)};
      if (${at} < 0 || !${this.#call('isSet', map, at, reference.index)}) break ${help}u;
      const ${this.#reference(index)} = ${value};
      ${reference.once ? `${this.#call('unset', map, at, reference.index)};` : ''}`;
  }

  #sum(value: PlanValue, index: number): string {
    const help = this.#prefix;
    const at = `${help}e + ${this.#map.sumsAt + 2 * index}`;
    const { code, kind } = this.#numeric(value);
    if (kind === 'long') return `${this.#call('addLong', `${help}w`, at, code)};`;
    const high = kind === 'uint' ? '0' : `${code} < 0 ? -1 : 0`;
    return `${this.#call('addToSum', `${help}w`, at, code, high)};`;
  }

  #variable({ index, value, text, room }: PlanVariable): string {
    const help = this.#prefix;
    if (text === undefined) return `${this.#call('setVariable', `${help}.map`, `${help}e`, index, this.#numeric(value).code)};`;
    return `${this.#call('setText', `${help}.map`, `${help}e`, index, text, room, this.#text(value))};`;
  }

  /** What actions get of the own variables: the values that were just computed. */
  #own(reference: PlanReference, index: number): string {
    if (reference.kind === 'other') return '';
    const value = reference.isText ? this.#text(reference.value) : this.#numeric(reference.value).code;
    return `const ${this.#reference(index)} = ${value};`;
  }

  #action(action: PlanAction, index: number): string {
    const help = this.#prefix;
    const done = {
      save: () => action.saved.map((saved) => this.#variable(saved)).join(' '),
      trace: () => `${help}.traces[${index}](${action.values.map((value) => this.#reference(value)).join(', ')});`,
      snapshot: () => this.#snapshot(action.tracking!),
    }[action.kind]();
    if (action.tracking === undefined) return done;
    const { isMax, reference, variable } = action.tracking;
    const exceeds = this.#call('isNew', `${help}.map`, `${help}e`, variable, this.#referredNumber(reference), String(isMax));
    return `if (${exceeds}) { ${done} }`;
  }

  #snapshot({ isMax, reference }: PlanTracking): string {
    const help = this.#prefix;
    const isWanted = this.#call('noteSnapshot', `${help}.map`, `${help}e`, this.#referredNumber(reference), String(isMax));
    return `if (${isWanted}) ${help}.snapshot();`;
  }

  body(): string {
    const { keys, sums, variables, references, actions } = this.#plan;
    const help = this.#prefix;
    const key = (each: PlanKey, index: number): string =>
      this.#isBuffered ? this.#bufferedKey(each, index) : this.#numberKey(each as PlanKey & { kind: 'number' });
    return `${help}u: {
      if (${help}.state[0] === 1) break ${help}u;
      const ${help}w = ${help}.map.words;
      let ${help}h = 0;
      ${keys.map(key).join('\n')}
      ${help}h = ${this.#call('hashEnd', `${help}h`)};
      ${references.map((reference, i) => this.#lookUp(reference, i)).join('')}
      ${this.#insert()}
      if (${help}e < 0) break ${help}u;
      ${this.#call('countHit', `${help}w`, `${help}e + ${this.#map.sumsAt}`)};
      ${sums.map((value, i) => this.#sum(value, i + 1)).join('\n')}
      ${variables.map((variable) => this.#variable(variable)).join('\n')}
      ${references.map((reference, i) => this.#own(reference, i)).join('\n')}
      ${actions.map((action, i) => this.#action(action, i)).join('\n')}
    }`;
  }
}

/**
 * The statements that update the table of a plan. `prefix` is the one name that must be in scope, bound to what updaterHelpers()
 * returns for the plan on this thread; the names that the statements declare begin with it.
 */
export const updaterSource = (plan: HistPlan, sources: SlotSources, prefix: string): string =>
  new Writer(plan, sources, prefix).body();

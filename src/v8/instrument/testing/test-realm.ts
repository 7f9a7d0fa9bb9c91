/** For the tests: instruments a source, and runs it in a separate realm whose cells record their calls. */
import { createContext as createRealm, runInContext } from 'node:vm';
import { isCoroutine } from '../../js-text.js';
import { assemble, choosePrefix, restore } from '../../text/index.js';
import { type Instrumented, instrument, type SourceType } from '../index.js';

/** Instruments a source that can be parsed. */
export function instrumented(source: string, type: SourceType = 'commonjs'): Instrumented {
  const made = instrument(source, type);
  if ('unparsed' in made) throw new Error(`${made.unparsed}: ${source}`);
  return made;
}

/** The instrumented text; its functions are numbered from 1. */
export function textOf(source: string, type: SourceType = 'commonjs'): string {
  return assemble(source, instrumented(source, type).edits, choosePrefix(source), 1);
}

/** One call of a hook: `enter f a b`, `exit f value`, `suspend f`, `resume f`, `died f`, `unwind f g`. */
export type Told = string;

interface Ran {
  readonly result: unknown;
  /** What the hooks were told, in order. */
  readonly told: Told[];
  /** The names of the functions that are still on the shadow stack. */
  readonly left: string[];
}

/** Runs `source` as a script with every site armed, and awaits what it evaluates to. */
export async function runArmed(source: string): Promise<Ran> {
  const { functions } = instrumented(source, 'script');
  const hooks = new Hooks(functions.map((func) => func.name));
  const realm = createRealm({ setTimeout });
  const global = runInContext('globalThis', realm);
  const cell = (name: string | number, value: unknown) =>
    Object.defineProperty(global, choosePrefix(source) + name, { value, writable: true, configurable: true });
  functions.forEach((func, i) => {
    const coroutine = isCoroutine(func.kind);
    cell(i + 1, (n: number, _self: unknown, ...values: unknown[]) => hooks.enter(n, coroutine, values));
  });
  for (const letter of ['x', 'y', 'z', 'w', 'v', 'k', 'd', 'u'] as const) cell(letter, hooks[letter]);
  const result = await runInContext(textOf(source, 'script'), realm);
  return { result, told: hooks.told, left: hooks.stack.map((n) => hooks.nameOf(n)) };
}

interface Coroutine {
  readonly n: number;
  state: 'runs' | 'away' | 'done';
}

const show = (values: unknown[]) =>
  values.map((value) => ` ${typeof value === 'object' && value !== null ? typeof value : String(value)}`).join('');

/** A shadow stack that reports what happens to it. */
class Hooks {
  readonly told: Told[] = [];
  readonly stack: number[] = [];
  readonly #names: readonly string[];

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  nameOf(n: number): string {
    return this.#names[n - 1] as string;
  }

  enter(n: number, coroutine: boolean, values: unknown[]): Coroutine | number {
    this.stack.push(n);
    this.told.push(`enter ${this.nameOf(n)}${show(values)}`);
    return coroutine ? { n, state: 'runs' } : this.stack.length;
  }

  readonly x = (token: number, ...values: unknown[]): void => {
    this.told.push(`exit ${this.nameOf(this.stack[token - 1] as number)}${show(values)}`);
    this.stack.length = token - 1;
  };

  readonly y = (activation: Coroutine, ...values: unknown[]): void => this.#leave(activation, 'done', `exit`, values);

  readonly z = (activation: Coroutine): void => {
    if (activation.state === 'runs') this.#leave(activation, 'away', 'suspend', []);
  };

  readonly w = (activation: Coroutine): void => {
    if (activation.state !== 'away') return;
    activation.state = 'runs';
    this.stack.push(activation.n);
    this.told.push(`resume ${this.nameOf(activation.n)}`);
  };

  readonly v = this.w;

  readonly k = (activation: Coroutine): void => {
    this.w(activation);
    if (activation.state === 'runs') this.#leave(activation, 'done', 'died', []);
  };

  readonly d = (): number => this.stack.length + 1;

  readonly u = (depth: number): void => {
    const dead = this.stack.splice(depth - 1).map((n) => this.nameOf(n));
    if (dead.length > 0) this.told.push(`unwind ${dead.join(' ')}`);
  };

  #leave(activation: Coroutine, state: Coroutine['state'], word: string, values: unknown[]): void {
    this.stack.splice(this.stack.lastIndexOf(activation.n));
    activation.state = state;
    this.told.push(`${word} ${this.nameOf(activation.n)}${show(values)}`);
  }
}

/** The result of `source`, a script, as it stands, and with idle sites: JSON of what it evaluates to. */
export async function runPlainAndIdle(source: string): Promise<[plain: string, idle: string]> {
  const run = async (text: string) => {
    const realm = createRealm({ setTimeout, restore });
    return JSON.stringify(await runInContext(text, realm)) ?? 'undefined';
  };
  return [await run(source), await run(textOf(source, 'script'))];
}

/** For the tests: instruments a source, and runs it in a realm of its own whose cells record what they are told. */
import { createContext as createRealm, runInContext } from 'node:vm';
import { assemble, choosePrefix, restore } from '../text/index.js';
import { type Instrumented, instrument, type SourceType } from './index.js';

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

/** One call of a hook: `enter 1 a,b`, `exit 1 value`, `suspend 1`, `resume 1`, `unwind`, with the shadow stack after it. */
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
  const prefix = choosePrefix(source);
  const told: Told[] = [];
  const stack: number[] = [];
  const nameOf = (n: number) => functions[n - 1]?.name ?? '?';
  const show = (value: unknown) => (typeof value === 'object' && value !== null ? typeof value : String(value));
  const realm = createRealm({ console, setTimeout });
  const cell = (name: string, value: unknown) =>
    Object.defineProperty(runInContext('globalThis', realm), prefix + name, { value, writable: true, configurable: true });

  functions.forEach((func, i) => {
    const coroutine = /async|generator/.test(func.kind);
    cell(String(i + 1), (n: number, _self: unknown, ...values: unknown[]) => {
      stack.push(n);
      told.push(`enter ${nameOf(n)}${values.map((value) => ` ${show(value)}`).join('')}`);
      return coroutine ? { n, away: false } : stack.length;
    });
  });
  const pop = (n: number) => stack.splice(stack.lastIndexOf(n));
  cell('x', (token: number, ...values: unknown[]) => {
    const n = stack[token - 1] as number;
    stack.length = token - 1;
    told.push(`exit ${nameOf(n)}${values.map((value) => ` ${show(value)}`).join('')}`);
  });
  cell('y', (activation: { n: number }, ...values: unknown[]) => {
    pop(activation.n);
    told.push(`exit ${nameOf(activation.n)}${values.map((value) => ` ${show(value)}`).join('')}`);
  });
  cell('z', (activation: { n: number; away: boolean }) => {
    if (activation.away) return;
    activation.away = true;
    pop(activation.n);
    told.push(`suspend ${nameOf(activation.n)}`);
  });
  const resume = (activation: { n: number; away: boolean }) => {
    if (!activation.away) return;
    activation.away = false;
    stack.push(activation.n);
    told.push(`resume ${nameOf(activation.n)}`);
  };
  cell('w', resume);
  cell('v', resume);
  cell('d', () => stack.length + 1);
  cell('u', (depth: number) => {
    if (stack.length >= depth)
      told.push(
        `unwind ${stack
          .slice(depth - 1)
          .map(nameOf)
          .join(' ')}`,
      );
    stack.length = Math.min(stack.length, depth - 1);
  });
  const result = await runInContext(textOf(source, 'script'), realm);
  return { result, told, left: stack.map(nameOf) };
}

/** The result of `source`, a script, as it stands, and with idle sites: JSON of what it evaluates to. */
export async function runPlainAndIdle(source: string): Promise<[plain: string, idle: string]> {
  const run = async (text: string) => {
    const realm = createRealm({ setTimeout, restore });
    return JSON.stringify(await runInContext(text, realm)) ?? 'undefined';
  };
  return [await run(source), await run(textOf(source, 'script'))];
}

import type { CodeTemplate, ScriptCode, ScriptContext } from '../script-code.js';
import { HandlerState, type SkipReason } from './handler-state.js';
import { HELPERS } from './helpers.js';
import type { ScriptMemory, WriterMemory } from './script-memory.js';

export type { SkipReason } from './handler-state.js';

/**
 * Makes what generated text returns, as v8/events/compile.ts does.
 * @param text ends with `return FUNCTION`
 * @param values the variables that the text uses
 */
export type Compile = <F>(text: string, values: Readonly<Record<string, unknown>>) => F;

/**
 * A script on one thread: a thread of the program, or the control thread. Nothing here throws into the program, but for
 * compileHandler and compileSaves, which throw what `compile` throws.
 */
export interface ScriptThread {
  readonly writer: number;
  /** Variables for code that is compiled elsewhere: `s`, `h`, `K`, `F`, `c`. */
  readonly scope: Readonly<Record<'s' | 'h' | 'K' | 'F' | 'c', unknown>>;
  /**
   * Handler `index` as a function. All names that its text declares begin with `$`.
   * @param sources for each of the handler's fetches an expression of `parameters` and `values`, that does not throw and runs no
   *   code of the program
   * @param parameters those of the function; `at` and `saved` are among them, or are in `values`
   * @param values other variables that the sources use
   */
  compileHandler<F extends (...args: never[]) => void>(
    index: number,
    sources: readonly string[],
    parameters: readonly string[],
    values?: Readonly<Record<string, unknown>>,
  ): F;
  /** What handler `index` computes where a call begins: a function that returns the array for `saved`, or undefined. */
  compileSaves<F extends (...args: never[]) => readonly unknown[] | undefined>(
    index: number,
    sources: readonly string[],
    parameters: readonly string[],
    values?: Readonly<Record<string, unknown>>,
  ): F;
  /** Handler `index` without a program: `begin`, `end`, `error`, timers. What it fetches is not there. */
  run(index: number): void;
  /** Counts a hit whose handler did not run; too many of them (MAXSKIPPED) end the script. */
  skip(reason: SkipReason): void;
  /** A thread that has come later: its aggregates are read from now on. */
  addWriter(writer: WriterMemory): void;
}

/** The text of a template with its holes filled. */
const fillTemplate = ({ text, order }: CodeTemplate, sources: readonly string[]): string =>
  text.reduce((all, part, i) => (i === 0 ? part : `${all}${sources[order[i - 1]!]}${part}`), '');

/**
 * Opens a script on this thread. A writer whose memory has entries already is continued.
 * @param memory with that of `context.writer` among its writers
 */
export function createScriptThread(
  code: ScriptCode,
  memory: ScriptMemory,
  context: ScriptContext,
  compile: Compile,
): ScriptThread {
  const state = new HandlerState(code, memory, context);
  const common = { s: state, h: HELPERS, K: code.constants, c: context };
  const F: unknown[] = [];
  const functions = compile<unknown[]>(code.functions, { ...common, F });
  for (let i = 0; i < functions.length; i++) F[i] = functions[i];
  const scope = { ...common, F };
  const compiled = <T>(
    template: CodeTemplate,
    sources: readonly string[],
    parameters: readonly string[],
    values: Readonly<Record<string, unknown>> = {},
  ): T =>
    compile<T>(`return function (${parameters.join(', ')}) {\n${fillTemplate(template, sources)}};`, { ...scope, ...values });
  const own: ((at: number, saved: undefined) => void)[] = [];
  return {
    writer: context.writer,
    scope,
    compileHandler: (index, sources, parameters, values) => compiled(code.handlers[index]!.body, sources, parameters, values),
    compileSaves: (index, sources, parameters, values) => {
      const { saves } = code.handlers[index]!;
      return compiled(saves ?? { text: ['return undefined;'], order: [] }, sources, parameters, values);
    },
    run(index) {
      own[index] ??= compiled(
        code.handlers[index]!.body,
        code.handlers[index]!.fetches.map(() => 'undefined'),
        ['at', 'saved'],
      );
      own[index](-1, undefined);
    },
    skip: (reason) => state.skip(reason),
    addWriter: (writer) => state.addWriter(writer),
  };
}

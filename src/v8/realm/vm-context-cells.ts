import vm from 'node:vm';
import { type CellRange, statementsCell } from './cells.js';
import { reflectApply, SafeMap } from './primordials.js';

type Value = ((...args: never[]) => unknown) | 0;
type Write = (which: number | string, value: Value) => void;

const { Script } = vm;
const { runInContext } = Script.prototype;

/** What sites call besides their entries, by the letter of the cell. */
const SERVICES = ['x', 'y', 'z', 'w', 'v', 'k', 'd', 'u'] as const;

/** The cells of a text, as one context's global scope declares them. Made once for all contexts that run the text. */
export class CellScripts {
  readonly #names: readonly string[];
  readonly #keys: readonly (number | string)[];
  #declare: vm.Script | undefined;
  #write: vm.Script | undefined;

  private constructor(names: readonly string[], keys: readonly (number | string)[]) {
    this.#names = names;
    this.#keys = keys;
  }

  /** Cells of functions first, first + 1, ..., and of their statements if the text has sites there. */
  static ofFunctions({ prefix, first, count, hasStatements = false }: CellRange): CellScripts {
    const keys: (number | string)[] = Array.from({ length: count }, (_, i) => first + i);
    if (hasStatements) for (let i = 0; i < count; i++) keys[count + i] = statementsCell(first + i);
    return new CellScripts(
      keys.map((key) => prefix + key),
      keys,
    );
  }

  static ofCalls(prefix: string): CellScripts {
    return new CellScripts(
      SERVICES.map((letter) => prefix + letter),
      SERVICES,
    );
  }

  /** Declares the cells in the context, as NOPs. Throws if the context has one of the names. */
  declareIn(context: object): void {
    this.#declare ??= new Script(`let ${this.#names.map((name) => `${name}=0`).join()}`);
    reflectApply(runInContext, this.#declare, [context, QUIET]);
  }

  /** What writes the cells of the context. */
  writerIn(context: object): Write {
    this.#write ??= new Script(
      `(which,value)=>{switch(which){${this.#names
        .map((name, i) => `case ${JSON.stringify(this.#keys[i])}:${name}=value;break;`)
        .join('')}}}`,
    );
    return reflectApply(runInContext, this.#write, [context, QUIET]) as Write;
  }
}

const QUIET = { displayErrors: false };

/** A text whose cells are declared in the contexts that run it. */
export interface VmContextText extends CellRange {
  readonly scripts: CellScripts;
}

const callScripts = new SafeMap<string, CellScripts>();

/**
 * The patch sites of one `vm` context. Its cells are lexical variables of the context's global scope: code that inspects the
 * global object (and a Proxy behind it) does not see them, and reading one costs next to nothing; a property of a contextified
 * object costs a call of its interceptors: 1.3 million calls took 451 ms with properties, 24 with variables, 16 without sites.
 */
export class VmContextCells {
  readonly #context: object;
  /** By a text's first function: the writer of its cells, once they were written; undefined before. */
  readonly #writers = new SafeMap<number, Write | undefined>();
  /** By prefix. */
  readonly #calls = new SafeMap<string, Write>();

  constructor(context: object) {
    this.#context = context;
  }

  has({ first }: VmContextText): boolean {
    return this.#writers.has(first);
  }

  /** Declares a text's cells as NOPs. Returns false if the context refuses them: the text's sites then stay NOPs there. */
  define(text: VmContextText, calls: Readonly<Record<string, Value>>): boolean {
    try {
      text.scripts.declareIn(this.#context);
      if (!this.#calls.has(text.prefix)) this.#defineCalls(text.prefix, calls);
      this.#writers.set(text.first, undefined);
      return true;
    } catch {
      return false;
    }
  }

  /** Writes the cell of a function of the text, by its number, or that of its statements. */
  write(text: VmContextText, which: number | string, value: Value): void {
    let write = this.#writers.get(text.first);
    if (write === undefined) {
      write = text.scripts.writerIn(this.#context);
      this.#writers.set(text.first, write);
    }
    write(which, value);
  }

  setCall(letter: string, value: Value): void {
    this.#calls.forEach((write) => {
      write(letter, value);
    });
  }

  #defineCalls(prefix: string, values: Readonly<Record<string, Value>>): void {
    let scripts = callScripts.get(prefix);
    if (scripts === undefined) {
      scripts = CellScripts.ofCalls(prefix);
      callScripts.set(prefix, scripts);
    }
    scripts.declareIn(this.#context);
    const write = scripts.writerIn(this.#context);
    this.#calls.set(prefix, write);
    for (const letter in values) write(letter, values[letter]!);
  }
}

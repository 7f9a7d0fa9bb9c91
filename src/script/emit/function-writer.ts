import type { PrintFormat, ScriptHandler, ScriptProgram, SourcePlace } from '../program.js';
import type { ScriptLayout } from '../runtime/layout.js';
import type { ScriptType } from '../script-type.js';
import type { Constants } from './constants.js';
import type { TypeScope } from './types-of.js';

/** What all functions of a script's code share. */
export interface CodeNeeds {
  readonly program: ScriptProgram;
  readonly layout: ScriptLayout;
  readonly constants: Constants;
  readonly formats: PrintFormat[];
}

/** Stands in a text where fetch `index` does. */
export const hole = (index: number): string => `\0${index}\0`;

/** A function whose text is being written: its names, and where its parts come from. All names in it begin with `$`. */
export class FunctionWriter implements TypeScope {
  readonly needs: CodeNeeds;
  readonly program: ScriptProgram;
  readonly locals: readonly ScriptType[];
  readonly saves: ScriptHandler['saves'];
  /** Fetches that stand at several places: they are taken once. */
  readonly kept: ReadonlySet<number>;
  /** Whether its statements are counted while it runs: it has loops or calls. */
  readonly isCounting: boolean;
  /** Statements that were not counted yet. */
  pending = 0;
  readonly #declared: string[] = [];

  constructor(
    needs: CodeNeeds,
    { locals, saves, kept, isCounting }: Pick<FunctionWriter, 'locals' | 'saves' | 'kept' | 'isCounting'>,
  ) {
    this.needs = needs;
    this.program = needs.program;
    this.locals = locals;
    this.saves = saves;
    this.kept = kept;
    this.isCounting = isCounting;
  }

  /** A new variable of the function. */
  temporary(): string {
    const name = `$t${this.#declared.length}`;
    this.#declared.push(name);
    return name;
  }

  /** The declarations of all new variables. */
  declarations(): string {
    return this.#declared.length === 0 ? '' : `let ${this.#declared.join(', ')};\n`;
  }

  text(text: string): string {
    return this.needs.constants.text(text);
  }

  /** The constant that names a place in an error. */
  place(place: SourcePlace | undefined): string {
    if (place === undefined) return "''";
    const { token, file, line, column } = place;
    return this.text(`${token === undefined ? '' : `${token} at `}${file}:${line}:${column}`);
  }

  /** The number of a format. */
  format(format: PrintFormat): number {
    return this.needs.formats.push(format) - 1;
  }
}

/** What a variable of a type has at first. */
export function initialOf(type: ScriptType): string {
  if (typeof type === 'object') return `[${type.tuple.map(initialOf).join(', ')}]`;
  return type === 'string' || type === 'stack' ? "''" : '0';
}

/** How the parts of a value are reached: '' for what has none, `[0]`, `[1][0]` of a tuple. */
export function pathsOf(type: ScriptType): readonly string[] {
  if (typeof type !== 'object') return [''];
  return type.tuple.flatMap((element, i) => pathsOf(element).map((path) => `[${i}]${path}`));
}

/** What is the same whenever it is evaluated. */
export const isConstant = (code: string): boolean => /^(K\[\d+\]|\d+n?|\(-\d+n?\)|'')$/.test(code);

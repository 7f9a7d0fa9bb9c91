import type { GlobalVariable, HistogramShape, ScriptExpression, ScriptStatement } from '../../program.js';
import type { StoredType } from '../../script-type.js';
import type { FunctionDefinition, GlobalDefinition, StapFile } from '../syntax-tree.js';
import { fault, type ScriptToken, SemanticError } from './semantic-error.js';
import { type CellType, TypeCell } from './type-cell.js';

/** An expression whose names are found. Its type is known when everything is bound, and it is built after that. */
export interface BoundExpression {
  readonly cell: TypeCell;
  readonly token: ScriptToken;
  build(): ScriptExpression;
}

/** A statement whose names are found. */
export type BoundStatement = () => readonly ScriptStatement[];

/** A local variable or parameter of one body. */
export interface LocalVariable {
  readonly slot: number;
  readonly name: string;
  readonly cell: TypeCell;
  /** Where it is first used. */
  readonly token: ScriptToken;
  isAssigned: boolean;
  isRead: boolean;
}

/** A global of the script, or of a tapset that it uses. */
export class BoundGlobal {
  readonly definition: GlobalDefinition;
  readonly file: StapFile;
  readonly id: number;
  /** The types of its keys, once its arity is known. */
  keys: readonly TypeCell[] | undefined;
  readonly cell = new TypeCell();
  isRead = false;
  isWritten = false;
  #arityToken: ScriptToken | undefined;
  #histogram: HistogramShape | undefined;
  #varianceBits: number | undefined;

  constructor(definition: GlobalDefinition, file: StapFile, id: number) {
    this.definition = definition;
    this.file = file;
    this.id = id;
    const { initial } = definition;
    if (initial !== undefined) {
      this.keys = [];
      this.cell.be(initial.kind, { token: `identifier '${this.name}'`, place: definition.place });
    }
  }

  get name(): string {
    return this.definition.name.text;
  }

  /**
   * Notes that it is used with so many keys, and returns their types.
   * @throws SemanticError where that is another number than before
   */
  useWith(count: number, token: ScriptToken): readonly TypeCell[] {
    if (this.keys === undefined) {
      this.keys = Array.from({ length: count }, () => new TypeCell());
      this.#arityToken = token;
    }
    if (this.keys.length === count) return this.keys;
    const first = this.#arityToken ?? { token: token.token, place: this.definition.place };
    throw new SemanticError(fault('inconsistent arity', [this.keys.length, count], token), {
      message: `arity ${this.keys.length} first inferred here`,
      ...first,
    });
  }

  /** Notes that it is an aggregate, and what is asked of it. @throws SemanticError for a second histogram */
  collect(histogram: HistogramShape | undefined, varianceBits: number | undefined, token: ScriptToken): void {
    if (varianceBits !== undefined) this.#varianceBits = Math.max(this.#varianceBits ?? 0, varianceBits);
    if (histogram === undefined) return;
    if (this.#histogram !== undefined && JSON.stringify(this.#histogram) !== JSON.stringify(histogram)) {
      throw new SemanticError(fault('histogram shape', [this.name], token));
    }
    this.#histogram = histogram;
  }

  #initialOf(given: string): bigint | string {
    if (typeOf(this.cell) !== 'long') return given;
    if (/^-?(?:0x[\da-fA-F]+|\d+)$/.test(given)) return given.startsWith('-') ? -BigInt(given.slice(1)) : BigInt(given);
    throw new SemanticError(fault('not here', [`-G ${this.name}=${given}: the global is a number`]));
  }

  /** @param given its value at first, if the script was started with one */
  build(maxEntries: number, given?: string): GlobalVariable {
    const { size, wraps, initial, place } = this.definition;
    const stats =
      this.cell.known === 'stats'
        ? {
            ...(this.#histogram !== undefined && { histogram: this.#histogram }),
            ...(this.#varianceBits !== undefined && { varianceBits: this.#varianceBits }),
          }
        : undefined;
    return {
      name: this.name,
      keys: (this.keys ?? []).map((key) => storedType(key)),
      type: typeOf(this.cell),
      ...(initial !== undefined && { initial: initial.value }),
      ...(given !== undefined && { initial: this.#initialOf(given) }),
      maxEntries: size ?? maxEntries,
      ...(size !== undefined && { isSized: true }),
      ...(wraps && { wraps: true }),
      ...(stats !== undefined && { stats }),
      place,
    };
  }
}

/** A function of the script, or of a tapset that it uses. */
export interface BoundFunction {
  readonly definition: FunctionDefinition;
  readonly file: StapFile;
  readonly index: number;
  readonly parameters: readonly LocalVariable[];
  readonly returns: TypeCell;
  returnsValue: boolean;
  /** The next one of its name and number of parameters, which `next` calls. */
  readonly following: BoundFunction | undefined;
}

/** What was found of a type; a name of which nothing is known is a number. */
export const typeOf = (cell: TypeCell): CellType => cell.known ?? 'long';

const storedType = (cell: TypeCell): StoredType => {
  const type = typeOf(cell);
  return type === 'stats' ? 'long' : type;
};

/** Builds an expression as one of a type: only a value of the program has to be converted. */
export function buildAs({ cell, build }: Pick<BoundExpression, 'cell' | 'build'>, wanted: CellType): ScriptExpression {
  const built = build();
  if (typeOf(cell) !== 'value' || wanted === 'value' || wanted === 'stats') return built;
  return wanted === 'long' ? { op: 'to long', of: built } : { op: 'to string', of: built };
}

/** Builds a condition. A value of the program holds where JavaScript takes it for true. */
export function buildCondition(bound: Pick<BoundExpression, 'cell' | 'build'>): ScriptExpression {
  const built = bound.build();
  return typeOf(bound.cell) === 'value' ? { op: '!', of: { op: '!', of: built } } : built;
}

import { isDeepStrictEqual } from 'node:util';
import type { Fetch } from '../../../probes/probe-definition.js';
import type { ScriptExpression } from '../../program.js';
import type { ScriptType } from '../../script-type.js';
import type { StapExpression, StapFile } from '../syntax-tree.js';
import { type BoundExpression, type BoundFunction, type BoundGlobal, type LocalVariable, typeOf } from './bound.js';
import type { PointVariables } from './point-table.js';
import { fault, refuse, type ScriptToken, type SemanticFault, similarTo } from './semantic-error.js';
import { TypeCell } from './type-cell.js';

/** What a body needs of the script around it. */
export interface ScriptNames {
  /** Finds the names of an expression. @throws SemanticError */
  readonly bindExpression: (expression: StapExpression, scope: BodyScope) => BoundExpression;
  /** The global that a file sees by this name. */
  global(name: string, file: StapFile): BoundGlobal | undefined;
  /**
   * The function of this name.
   * @param hasIntrinsic the runtime has one, which goes before those of tapsets that are C
   * @returns undefined: the runtime's is meant @throws SemanticError: there is none
   */
  function(name: string, args: number, file: StapFile, token: ScriptToken, hasIntrinsic: boolean): BoundFunction | undefined;
}

/** The names of one body: of a handler with what its aliases add, or of a function. */
export class BodyScope {
  readonly names: ScriptNames;
  /** The file whose private names the present part sees. */
  file: StapFile;
  /** What its point has; absent: it is a function. */
  readonly variables: PointVariables | undefined;
  readonly function: BoundFunction | undefined;
  readonly #locals: Map<string, LocalVariable>;
  /** How many loops the present statement stands in. */
  loops = 0;
  /** The arrays that the loops around the present statement visit. */
  readonly visited: BoundGlobal[] = [];
  readonly fetches: Fetch[] = [];
  readonly saves: ScriptExpression[] = [];

  constructor(
    names: ScriptNames,
    file: StapFile,
    of: { readonly variables?: PointVariables; readonly function?: BoundFunction },
    locals: Map<string, LocalVariable> = new Map(),
  ) {
    this.names = names;
    this.file = file;
    this.variables = of.variables;
    this.function = of.function;
    this.#locals = locals;
    for (const parameter of of.function?.parameters ?? []) this.#locals.set(parameter.name, parameter);
  }

  /** A scope with the same names, for a look at what they would mean: nothing that it finds is kept. */
  trial(): BodyScope {
    const of = { ...(this.variables && { variables: this.variables }), ...(this.function && { function: this.function }) };
    return new BodyScope(this.names, this.file, of, new Map(this.#locals));
  }

  /** Finds the names of an expression that stands in it. @throws SemanticError */
  bind(expression: StapExpression): BoundExpression {
    return this.names.bindExpression(expression, this);
  }

  /** The variable of this name: a new local if there is none. */
  localOrGlobal(name: string, token: ScriptToken): LocalVariable | BoundGlobal {
    return this.#locals.get(name) ?? this.names.global(name, this.file) ?? this.local(name, token);
  }

  /** The local of this name, though there may be a global of it. */
  local(name: string, token: ScriptToken): LocalVariable {
    const known = this.#locals.get(name);
    if (known !== undefined) return known;
    const cell = new TypeCell();
    const made = { slot: this.#locals.size, name, cell, token, isAssigned: false, isRead: false };
    this.#locals.set(name, made);
    return made;
  }

  /** @throws SemanticError: no array has this name */
  arrayOf(name: string, arity: number, token: ScriptToken): BoundGlobal {
    const local = this.#locals.get(name);
    const global = local === undefined ? this.names.global(name, this.file) : undefined;
    return global ?? refuse('unresolved array', [arity, name], token);
  }

  /** @throws SemanticError for an array that a loop around the statement visits */
  checkChange(global: BoundGlobal, token: ScriptToken): void {
    if (this.visited.includes(global)) refuse('changed in foreach', [global.name], token);
  }

  functionOf(name: string, args: number, token: ScriptToken, hasIntrinsic: boolean): BoundFunction | undefined {
    return this.names.function(name, args, this.file, token, hasIntrinsic);
  }

  /** The number of what is fetched; the same once for one body. */
  fetch(fetch: Fetch): number {
    const at = this.fetches.findIndex((one) => isDeepStrictEqual(one, fetch));
    return at >= 0 ? at : this.fetches.push(fetch) - 1;
  }

  /** The number of what the entry saves. */
  save(saved: ScriptExpression): number {
    const at = this.saves.findIndex((one) => isDeepStrictEqual(one, saved));
    return at >= 0 ? at : this.saves.push(saved) - 1;
  }

  /** Decides the types of its locals. @throws SemanticError for one of which nothing is known */
  settle(): void {
    for (const { cell, token, isRead } of this.#locals.values()) {
      cell.settle();
      if (cell.known === undefined && isRead) refuse('unresolved type', [], token);
    }
  }

  /** The types of its locals, by slot. */
  localTypes(): readonly ScriptType[] {
    return [...this.#locals.values()].sort((a, b) => a.slot - b.slot).map(({ cell }) => typeOf(cell));
  }

  /**
   * Locals that are read, and never assigned.
   * @param globals names that may have been meant
   */
  warnings(globals: readonly string[]): readonly SemanticFault[] {
    const parameters = new Set(this.function?.parameters);
    const all = [...this.#locals.values()];
    return all
      .filter((local) => local.isRead && !local.isAssigned && !parameters.has(local))
      .map(({ name, token }) => {
        const others = [...all.map((one) => one.name), ...globals].filter((one) => one !== name);
        const similar = others.length === 0 ? '' : similarTo(name, others);
        return { ...fault('unassigned', [name, similar], token) };
      });
  }
}

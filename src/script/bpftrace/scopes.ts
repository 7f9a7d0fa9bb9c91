import type { Fetch } from '../../probes/probe-definition.js';
import type { HistogramShape, ScriptExpression, SourcePlace } from '../program.js';
import type { StoredType } from '../script-type.js';
import { type BpfType, isSame, NONE, storedAs, typeName, UINT64, unify } from './bpf-type.js';
import type { ResolvedPoint } from './points.js';
import { type Problem, placeOf, type ScriptSource, type Span } from './problem.js';
import type { BpfExpression, MapNode } from './syntax-tree.js';
import type { Typed } from './typed.js';

/** What a script's texts and numbers come from. */
export interface CompileOptions {
  /** What messages call the script; absent: `stdin`, as bpftrace calls what it was given with -e. */
  readonly name?: string;
  /** `$1` and the following. */
  readonly args?: readonly string[];
  /** The process that `-c` has started: `cpid`. */
  readonly childPid?: number;
  /** Bytes of a text with the zero at its end (BPFTRACE_STRLEN). */
  readonly textSize?: number;
  /** The most keys of a map (BPFTRACE_MAP_KEYS_MAX). */
  readonly mapKeys?: number;
}

/** A map as far as it is known. */
export interface MapState {
  readonly name: string;
  readonly id: number;
  readonly at: Span;
  type: BpfType;
  /** undefined: no use was seen yet. */
  keys: readonly BpfType[] | undefined;
  histogram?: HistogramShape;
}

/**
 * What all handlers of a script share. The types of maps follow from their uses anywhere in the script, so it is checked again
 * until they stay the same; in the last pass what is still unknown is an error.
 */
export class ScriptScope {
  readonly source: ScriptSource;
  readonly options: CompileOptions;
  readonly textSize: number;
  readonly constants: ReadonlyMap<string, bigint>;
  readonly maps = new Map<string, MapState>();
  /** Types of variables, by handler and name. */
  readonly variables = new Map<string, BpfType>();
  problems: Problem[] = [];
  warnings: Problem[] = [];
  isLast = false;
  hasChanged = false;

  constructor(source: ScriptSource, options: CompileOptions, constants: ReadonlyMap<string, bigint>) {
    this.source = source;
    this.options = options;
    this.textSize = options.textSize ?? 64;
    this.constants = constants;
  }

  place({ from }: Span): SourcePlace {
    return { file: this.source.name, ...placeOf(this.source.text, from) };
  }

  problem(at: Span, message: string): void {
    addOnce(this.problems, { at, message });
  }

  /** An error if it is still so when all types are known. */
  late(at: Span, message: string): void {
    if (this.isLast) this.problem(at, message);
  }

  warn(at: Span, message: string): void {
    addOnce(this.warnings, { at, message });
  }

  /** The map that a node names, made if there is none. */
  map({ name, at }: MapNode): MapState {
    const known = this.maps.get(name);
    if (known !== undefined) return known;
    const map: MapState = { name, id: this.maps.size, at, type: NONE, keys: undefined };
    this.maps.set(name, map);
    return map;
  }

  /** Notes that a map holds a type; says so if it cannot. */
  assign(map: MapState, type: BpfType, at: Span): void {
    if (type.kind === 'none') return;
    const both = map.type.kind === 'none' ? type : unify(map.type, type);
    if (both === undefined) {
      const has = typeName(map.type);
      const message = `Type mismatch for ${map.name}: trying to assign value of type '${typeName(type)}' when map already contains a value of type '${has}`;
      this.problem(at, message);
    } else if (!isSame(both, map.type)) {
      map.type = both;
      this.hasChanged = true;
    }
  }

  /** Notes the types of a map's keys; says so if they do not fit. */
  useKeys(map: MapState, types: readonly BpfType[], at: Span): void {
    const keys = types.map(keyOf);
    if (keys.some(({ kind }) => kind === 'none')) return;
    if (map.keys === undefined) {
      map.keys = keys;
      this.hasChanged = true;
      return;
    }
    const both = map.keys.length === keys.length ? map.keys.map((key, i) => unify(key, keys[i]!)) : [undefined];
    if (both.some((key) => key === undefined)) {
      const [given, expected] = [keys, map.keys].map((list) => `[${list.map(typeName).join(', ')}]`);
      const message = `Argument mismatch for ${map.name}: trying to access with arguments: ${given} when map expects arguments: ${expected}`;
      this.problem(at, message);
    } else if (both.some((key, i) => !isSame(key!, map.keys![i]!))) {
      map.keys = both as readonly BpfType[];
      this.hasChanged = true;
    }
  }
}

/** All integers are the same as keys. */
const keyOf = (type: BpfType): BpfType => (type.kind === 'integer' ? UINT64 : type);

/** The most messages that are shown. */
const MOST_PROBLEMS = 100;

function addOnce(list: Problem[], problem: Problem): void {
  const { at, message } = problem;
  if (list.length >= MOST_PROBLEMS) return;
  if (!list.some((other) => other.at.from === at.from && other.at.to === at.to && other.message === message)) list.push(problem);
}

/** A variable of a handler. */
interface Local {
  readonly slot: number;
  type: BpfType;
}

/** Checks an expression, and gives its code. */
export type CheckExpression = (node: BpfExpression, scope: HandlerScope) => Typed;

/** One handler: the statements of a block, for one of the block's points. */
export class HandlerScope {
  readonly script: ScriptScope;
  readonly point: ResolvedPoint;
  readonly fetches: Fetch[] = [];
  readonly saves: ScriptExpression[] = [];
  readonly locals: StoredType[] = [];
  /** Loops around the statement. */
  loops = 0;
  readonly #check: CheckExpression;
  readonly #id: string;
  readonly #variables = new Map<string, Local>();

  constructor(script: ScriptScope, point: ResolvedPoint, id: string, check: CheckExpression) {
    this.script = script;
    this.point = point;
    this.#check = check;
    this.#id = id;
  }

  /** Checks an expression of the handler. */
  check(node: BpfExpression): Typed {
    return this.#check(node, this);
  }

  /** A value that the point fetches; that of the call's start where the point is its end. */
  fetch(fetch: Fetch, isOfEntry = false): ScriptExpression {
    const text = JSON.stringify(fetch);
    let index = this.fetches.findIndex((other) => JSON.stringify(other) === text);
    if (index === -1) index = this.fetches.push(fetch) - 1;
    const code: ScriptExpression = { op: 'fetch', index };
    if (!isOfEntry) return code;
    const saved = this.saves.findIndex((other) => other.op === 'fetch' && other.index === index);
    return { op: 'saved', index: saved === -1 ? this.saves.push(code) - 1 : saved };
  }

  /** A local without a name. */
  addLocal(type: StoredType): number {
    return this.locals.push(type) - 1;
  }

  variable(name: string): Local | undefined {
    return this.#variables.get(name);
  }

  /** Notes that a variable holds what is not known yet, or was refused. */
  assignUnknown(name: string): void {
    if (!this.#variables.has(name)) this.#variables.set(name, { slot: this.addLocal('long'), type: NONE });
  }

  /** Notes that a variable holds a type. */
  assign(name: string, type: BpfType, at: Span): Local | undefined {
    const { script } = this;
    const key = `${this.#id} ${name}`;
    const known = script.variables.get(key);
    const both = known === undefined ? type : unify(known, type);
    if (both === undefined) {
      script.problem(at, mismatch(name, known!, type));
      return undefined;
    }
    if (known === undefined || !isSame(known, both)) {
      script.variables.set(key, both);
      script.hasChanged = true;
    }
    const local = this.#variables.get(name) ?? { slot: this.addLocal(storedAs(both)), type: both };
    this.#variables.set(name, local);
    local.type = both;
    this.locals[local.slot] = storedAs(both);
    return local;
  }
}

function mismatch(name: string, known: BpfType, type: BpfType): string {
  if (known.kind === 'tuple' && type.kind === 'tuple') return `Tuple type mismatch: ${typeName(known)} != ${typeName(type)}.`;
  const [has, given] = [typeName(known), typeName(type)];
  return `Type mismatch for ${name}: trying to assign value of type '${given}' when variable already contains a value of type '${has}'`;
}

import type { ProbedFunction } from '../../port/port.js';
import { getOwnPropertyDescriptor } from '../realm/primordials.js';
import type { ProbeBreakpoint, ProbeBreakpoints } from './probe-breakpoints.js';
import { isReadable } from './probe-condition.js';

/** Reads and writes a variable of the program. */
export interface VariableAccess {
  get(): unknown;
  /** @throws TypeError for a constant */
  set(value: unknown): void;
}

export interface VariablesRequest {
  /** A function of the module that has the variables. */
  readonly function: ProbedFunction;
  readonly names: readonly string[];
  /** ModuleScope.forget */
  readonly forget: string;
  /** Called at the first call of the function at which all variables have values, before all else in it. */
  reached(variables: readonly VariableAccess[]): void;
  /** Called instead if that is not possible: the end of a sentence about the place. */
  failed(why: string): void;
}

/**
 * Expression text: an object with an accessor for each name, and a function that forgets the values of the call. A name that is
 * not there must not be written, because code that is not strict would create a global variable.
 */
function accessorsText(names: readonly string[], forget: string): string {
  const accessors = names.map((name, i) => {
    const value = name === 'v' ? 'w' : 'v';
    return `get $${i}(){return ${name}},set $${i}(${value}){${name};${name}=${value}}`;
  });
  return `({${accessors.join(',')},forget:()=>{${forget}}})`;
}

/** So many calls may find a variable that is not initialized yet. */
const TRIES = 100;

/**
 * Reaches variables of a module from a call of one of its functions: a breakpoint's condition, which V8 evaluates in the scope of
 * the function, makes closures over them. Then the breakpoint goes. Returns what removes it before.
 */
export function reachVariables(breakpoints: Pick<ProbeBreakpoints, 'set'>, request: VariablesRequest): () => void {
  const { names, forget } = request;
  const odd = names.find((name) => !isReadable(name));
  if (odd !== undefined) {
    request.failed(`has no variable ${odd}`);
    return () => {};
  }
  let isDone = false;
  let tries = 0;
  let breakpoint: ProbeBreakpoint | undefined;
  const remove = (): void => {
    isDone = true;
    breakpoint?.remove();
    breakpoint = undefined;
  };
  const set = breakpoints.set({
    ...{ ...request.function, ranges: [], expressions: [], text: accessorsText(names, forget) },
    hit([value]) {
      if (isDone) return;
      const accessors = value!() as { forget(): void };
      const variables = names.map((_name, i) => getOwnPropertyDescriptor(accessors, `$${i}`) as VariableAccess);
      forgetCall(accessors);
      const missing = names.find((_name, i) => hasNoValue(variables[i]!));
      if (missing !== undefined && ++tries < TRIES) return;
      remove();
      if (missing === undefined) request.reached(variables);
      else request.failed(`has no value of ${missing}: it is not initialized, or V8 has not kept it because no function uses it`);
    },
    ended: (why) => request.failed(why),
  });
  if (typeof set === 'object') breakpoint = set;
  else request.failed(set);
  return remove;
}

/** Only of what the closures see: the call itself goes on with its values. */
function forgetCall(accessors: { forget(): void }): void {
  try {
    accessors.forget();
  } catch {
    // A parameter is a constant of V8's.
  }
}

/** V8 says the same of a variable that is not initialized and of one that it has not kept. */
function hasNoValue({ get }: VariableAccess): boolean {
  try {
    get();
    return false;
  } catch {
    return true;
  }
}

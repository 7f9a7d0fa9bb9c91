import { HAS_STARTED } from './has-started.js';

/** The most calls of a stack that are read: those at its inner end, and those at its outer end. */
const INNER = 100;
const OUTER = 50;
/** Calls that take more of the stack than all that the expression does: 40 KB. */
const ROOM = 400;

/** A call on a stack, as V8 has it. */
export interface RawFrame {
  /** `Cart.add`, `new Cart`; '' for a function without a name. */
  readonly name: string;
  /** The name of the text: a URL, a path, or what the program calls it; '' if it has none. */
  readonly url: string;
  /** From 1; 0 for a built-in function. */
  readonly line: number;
  readonly column: number;
  /** Whether it waits in an `await` for the call above it. */
  readonly isAsync: boolean;
}

/** The value of STACK_EXPRESSION. */
export interface RawStack {
  /** The id at the operating system of the thread that was asked; 0 if it cannot be known. */
  readonly tid: number;
  /** Innermost first: the inner end of the stack, then its outer end. */
  readonly frames: readonly RawFrame[];
  /** How many calls are between the two; `unknown`: the outer end is missing, and it is not known how many calls it has. */
  readonly omitted: number | 'unknown';
}

/**
 * The source of an expression whose value is the stack of the thread that evaluates it, as JSON; undefined while the thread is
 * not past its start. It calls nothing of the program's. Where fentry stands between V8 and stacks (realm/stack-traces.ts) it is
 * asked, because it knows the columns of the text without sites. It throws a RangeError, before it has changed anything, where
 * the stack has not room for so many calls as are needed to put back what it changes.
 */
export const STACK_EXPRESSION = `(() => {
  const descend = (calls) => (calls === 0 ? 0 : descend(calls - 1) + 1);
  descend(${ROOM});
  if (!${HAS_STARTED}) return undefined;
  let sites = [];
  if (!Object.isFrozen(Error)) {
    const names = ['prepareStackTrace', 'stackTraceLimit'];
    const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(Error, name)]);
    const put = (name, value) => Object.defineProperty(Error, name, { value, configurable: true, writable: true });
    const take = (_error, found) => void (sites = found);
    put('stackTraceLimit', Infinity);
    if (process[Symbol.for('fentry.agent')] !== undefined && before[0][1]?.set !== undefined) Error.prepareStackTrace = take;
    else put('prepareStackTrace', take);
    void new Error().stack;
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) delete Error[name];
      else Object.defineProperty(Error, name, descriptor);
    }
  }
  const nameOf = (site) => {
    const name = site.getFunctionName() ?? '';
    if (site.isConstructor()) return 'new ' + name;
    if (site.isToplevel() || name.includes('.')) return name;
    const isMethod = name === '' || site.isNative() || site.getFileName() === undefined || site.getMethodName() === name;
    const type = isMethod ? site.getTypeName() ?? 'Object' : 'Object';
    return type === 'Object' || type === 'Function' ? name : type + '.' + (name === '' ? '<anonymous>' : name);
  };
  const raw = (site) => ({
    name: nameOf(site),
    url: site.getFileName() ?? site.getScriptNameOrSourceURL() ?? '',
    line: site.getLineNumber() ?? 0,
    column: site.getColumnNumber() ?? 0,
    isAsync: site.isAsync(),
  });
  // This function, and the expression.
  const all = sites.slice(2);
  const omitted = Math.max(0, all.length - ${INNER + OUTER});
  const shown = omitted === 0 ? all : [...all.slice(0, ${INNER}), ...all.slice(-${OUTER})];
  let tid = 0;
  try {
    const { readlinkSync } = process.getBuiltinModule?.('node:fs') ?? require('node:fs');
    tid = Number(readlinkSync('/proc/thread-self').split('/').pop());
  } catch {}
  return JSON.stringify({ tid, frames: shown.map(raw), omitted });
})()`;

/** After how many of a stack's frames others are left out. */
export const CUT_AFTER = INNER;

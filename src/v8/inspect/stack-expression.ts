/** The most calls of a stack that are read: those at its inner end, and those at its outer end. */
const INNER = 100;
const OUTER = 50;

/** A call on a stack, as V8 has it. */
export interface RawFrame {
  /** '' for a function without a name. */
  readonly name: string;
  /** The name of the text: a URL, a path, or what the program calls it; '' if it has none. */
  readonly url: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly isAsync: boolean;
}

/** The value of STACK_EXPRESSION. */
export interface RawStack {
  /** The id at the operating system of the thread that was asked; 0 if it cannot be known. */
  readonly tid: number;
  /** Innermost first: the inner end of the stack, then its outer end. */
  readonly frames: readonly RawFrame[];
  /** How many calls are between the two. */
  readonly omitted: number;
}

/**
 * The source of an expression whose value is the stack of the thread that evaluates it, as JSON; undefined while the thread is
 * not past its start. It calls nothing of the program's.
 */
export const STACK_EXPRESSION = `(() => {
  if (Object.isFrozen(Error)) return JSON.stringify({ tid: 0, frames: [], omitted: 0 });
  let frames = [];
  const before = ['prepareStackTrace', 'stackTraceLimit'].map((name) => [name, Object.getOwnPropertyDescriptor(Error, name)]);
  const put = (name, value) => Object.defineProperty(Error, name, { value, configurable: true, writable: true });
  put('stackTraceLimit', Infinity);
  put('prepareStackTrace', (_error, sites) => void (frames = sites));
  void new Error().stack;
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) delete Error[name];
    else Object.defineProperty(Error, name, descriptor);
  }
  const end = frames.findIndex((site) => site.isEval() && site.getFileName() == null);
  const raw = (site) => ({
    name: site.getFunctionName() ?? '',
    url: site.getFileName() ?? site.getScriptNameOrSourceURL() ?? '',
    line: site.getLineNumber() ?? 0,
    column: site.getColumnNumber() ?? 0,
    isAsync: site.isAsync(),
  });
  const all = frames.slice(2);
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

import { declare } from './declared.js';
import { failure } from './failure.js';
import { DEFAULT_PRIORITY, type Probe, type ProbeOptions, type Tracepoint, type TracepointOptions } from './tracepoint.js';

type Fire = (...args: unknown[]) => void;

interface Registered {
  readonly probe: Fire;
  readonly priority: number;
  readonly data: unknown;
  isGone: boolean;
}

/** A switch of one tracepoint: `set` makes its call go to `fire`, or nowhere. */
interface StaticKey {
  readonly call: Fire;
  readonly enabled: () => boolean;
  set(fire: Fire | undefined): void;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;
/** The name of the text of tracepoints' own functions, which stacks leave out. */
export const TRACEPOINT_URL = 'fentry:tracepoint';
let lastKey = 0;
/** What the names of cells begin with. */
let cellPrefix = '$tracepoint';

/** Gives the cells of this copy of the module names that begin so. */
export function nameCells(prefix: string): void {
  cellPrefix = prefix;
}

/**
 * A key that V8 folds away while it is off: the cell of a property of the global object that holds 0. Deleting it and defining it
 * anew makes it a constant again.
 */
function createKey(event: string, args: readonly string[]): StaticKey {
  const cell = `${cellPrefix}${++lastKey}_${Date.now().toString(36)}`;
  const define = (value: Fire | 0): void => {
    Reflect.deleteProperty(globalThis, cell);
    Object.defineProperty(globalThis, cell, { value, configurable: true, enumerable: false, writable: true });
  };
  const list = args.join(', ');
  const text = `return [function ${event}(${list}) { typeof ${cell} === "function" && ${cell}(${list}) }, () => typeof ${cell} === "function"]\n//# sourceURL=${TRACEPOINT_URL}`;
  try {
    const [call, enabled] = new Function(text)() as [Fire, () => boolean];
    define(0);
    return { call, enabled, set: (fire) => define(fire ?? 0) };
  } catch {
    return createSlowKey();
  }
}

/** Where no code may be made of strings: a call, a load and a test. */
function createSlowKey(): StaticKey {
  let current: Fire | undefined;
  return {
    call: (...args) => current?.(...args),
    enabled: () => current !== undefined,
    set(fire) {
      current = fire;
    },
  };
}

/** Declares a tracepoint (DECLARE_TRACE and DEFINE_TRACE in include/linux/tracepoint.h). */
export function defineTrace<T extends readonly unknown[]>(
  system: string,
  event: string,
  options: TracepointOptions<T>,
): Tracepoint<T> {
  const args = options.args as readonly string[];
  for (const name of [system, event, ...args]) {
    if (!IDENTIFIER.test(name)) throw failure('EINVAL', `${JSON.stringify(name)} is not a name of letters, digits and _`);
  }
  const key = createKey(event, args);
  const condition = options.condition as ((...args: unknown[]) => boolean) | undefined;
  let probes: readonly Registered[] = [];

  function drop(one: Registered): void {
    one.isGone = true;
    probes = probes.filter((other) => other !== one);
    update();
    if (probes.length === 0) options.onLast?.();
  }

  function callProbe(one: Registered, values: unknown[]): void {
    try {
      if (!one.isGone) one.probe(...values, one.data);
    } catch (error) {
      drop(one);
      process.emitWarning(
        `a probe of ${system}:${event} threw and is not called any more: ${String(error)}`,
        'TracepointWarning',
      );
    }
  }

  function fireAll(...values: unknown[]): void {
    const present = probes;
    if (condition !== undefined && !holds(condition, values)) return;
    for (let i = 0; i < present.length; i++) callProbe(present[i]!, values);
  }

  function update(): void {
    key.set(probes.length === 0 ? undefined : (direct(probes, condition) ?? fireAll));
  }

  const find = (probe: unknown, data: unknown): Registered | undefined =>
    probes.find((one) => one.probe === probe && one.data === data);

  const tracepoint = Object.assign(key.call, {
    system,
    event,
    enabled: key.enabled,
    registerProbe(probe: Probe<T>, { priority = DEFAULT_PRIORITY, data }: ProbeOptions = {}): void {
      if (find(probe, data) !== undefined) throw failure('EEXIST', `the probe is already registered with ${system}:${event}`);
      if (probes.length === 0) options.onFirst?.();
      const added: Registered = { probe: probe as unknown as Fire, priority, data, isGone: false };
      const behind = probes.findIndex((one) => one.priority < priority);
      probes = probes.toSpliced(behind < 0 ? probes.length : behind, 0, added);
      update();
    },
    unregisterProbe(probe: Probe<T>, data?: unknown): void {
      const found = find(probe, data);
      if (found === undefined) throw failure('ENOENT', `the probe is not registered with ${system}:${event}`);
      drop(found);
    },
  }) as unknown as Tracepoint<T>;
  declare(tracepoint as never, options as never);
  return tracepoint;
}

function holds(condition: (...args: unknown[]) => boolean, values: unknown[]): boolean {
  try {
    return condition(...values);
  } catch {
    return false;
  }
}

/** A probe that promises not to throw, and takes no data. */
const SAFE = Symbol.for('fentry.tracepoint.safe');

/** What a tracepoint whose only probe promises not to throw calls: that probe itself. */
function direct(probes: readonly Registered[], condition: unknown): Fire | undefined {
  const [only, ...others] = probes;
  if (only === undefined || others.length > 0 || condition !== undefined) return undefined;
  return SAFE in only.probe ? only.probe : undefined;
}

import { type AsyncHook, createHook } from 'node:async_hooks';
import type { RawFrame } from '../inspect/stack-expression.js';
import { captureRealm, type StackSite } from '../realm/capture-stack.js';
import { SafeWeakMap } from '../realm/primordials.js';
import { disableHook } from './disable-hook.js';

/** Types of async_hooks that are no handle, and of which there are many. */
const LEFT_OUT: Readonly<Record<string, true | undefined>> = {
  __proto__: null as never,
  PROMISE: true,
  TickObject: true,
  Microtask: true,
  Immediate: true,
};
/** Node's functions that tell of it: they stand above the one that made it. */
const HOOKS = 'node:internal/async_hooks';
/** The most calls of a stack that are kept; Node's own are among them. */
const DEPTH = 24;

/** Who made something, and how long ago. */
export interface HeldOrigin {
  readonly ageMs: number;
  /** The stack, the innermost call first, as V8 has it. */
  readonly frames: readonly RawFrame[];
}

interface Made {
  readonly at: number;
  /** Captured, and read when somebody asks; V8 prepares it once. */
  readonly holder: { readonly stack?: unknown };
  frames?: readonly RawFrame[];
}

interface PlacedSite extends StackSite {
  getLineNumber(): number | null;
  getColumnNumber(): number | null;
}

/** Keeps who made each handle of its thread, from now on, by the handle's async resource. */
export class HandleOrigins {
  readonly #made = new SafeWeakMap<object, Made>();
  readonly #hook: AsyncHook;

  constructor() {
    const made = this.#made;
    const init = (_id: number, type: string, _trigger: number, resource: object): void => {
      if (LEFT_OUT[type] === true) return;
      try {
        const { error, newHolder, capture } = captureRealm();
        const holder = newHolder();
        error.stackTraceLimit = DEPTH;
        capture(holder, init);
        made.set(resource, { at: performance.now(), holder });
      } catch {
        // The stack is full, or memory is short.
      }
    };
    // Newer versions of Node do not call it for promises then.
    this.#hook = createHook({ init, trackPromises: false } as Parameters<typeof createHook>[0]).enable();
  }

  /** No more are kept. */
  end(): void {
    disableHook(this.#hook);
  }

  /** Who made what has this resource; undefined if it was made before, or is not known. */
  of(resource: object): HeldOrigin | undefined {
    const made = this.#made.get(resource);
    if (made === undefined) return undefined;
    return { ageMs: performance.now() - made.at, frames: (made.frames ??= framesOf(made.holder)) };
  }
}

function framesOf(holder: Made['holder']): readonly RawFrame[] {
  const { error } = captureRealm();
  const { prepareStackTrace } = error;
  let frames: readonly RawFrame[] = [];
  try {
    error.prepareStackTrace = (_holder, trace) => {
      frames = (trace as readonly PlacedSite[]).map((site) => ({
        name: site.getFunctionName() ?? '',
        url: site.getFileName() ?? '',
        line: site.getLineNumber() ?? 0,
        column: site.getColumnNumber() ?? 0,
        isAsync: site.isAsync(),
      }));
    };
    void holder.stack;
  } finally {
    error.prepareStackTrace = prepareStackTrace;
  }
  const first = frames.findIndex(({ url }) => url !== HOOKS);
  return first < 0 ? frames : frames.slice(first);
}

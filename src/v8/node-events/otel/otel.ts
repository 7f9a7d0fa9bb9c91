import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { string } from '../../../tracepoint/fields.js';
import { coverMethod, replaceMethod } from '../../realm/lookalike.js';
import { reflectApply, uncurry } from '../../realm/primordials.js';
import { type Undo, undoAll } from '../../realm/undo.js';
import { nodeEventSystem, type SourceThread } from '../node-event-system.js';
import { RegisteredStorage } from './registered-storage.js';
import { NO_SPAN, type SpanIds, spanOfContext } from './span-of-context.js';

type OtelEvents = { span_switch: [span: SpanIds] };
type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

const getStore = uncurry(AsyncLocalStorage.prototype.getStore) as (storage: AsyncLocalStorage<unknown>) => unknown;
/** Before the records of the code that a context runs. */
const LEVEL = -3;

/**
 * Which span of an OpenTelemetry SDK is the active one on a thread, as `sched_switch` says which task runs. It follows the
 * contexts of the SDK that is registered with @opentelemetry/api 1.x; none of the program's code runs for a record.
 */
export const otel = nodeEventSystem<OtelEvents>('otel', {
  events: {
    span_switch: {
      args: ['span'],
      fields: {
        trace_id: string(({ trace }) => trace),
        span_id: string(({ span }) => span),
        parent_id: string(({ parent }) => parent),
        name: string(({ name }) => name),
      },
      print:
        '"trace_id=%s span_id=%s parent_id=%s name=%s", __get_str(trace_id), __get_str(span_id), __get_str(parent_id), __get_str(name)',
    },
  },
  sources: [
    {
      events: ['span_switch'],
      start: ({ span_switch }, thread) => followSpans(span_switch, thread),
    },
  ],
});

/** Tells of each change of the active span, until what is returned is called. */
function followSpans(told: (span: SpanIds) => void, { contexts }: SourceThread): Undo {
  let isOn = true;
  let storage: AsyncLocalStorage<unknown> | undefined;
  let known: SpanIds = NO_SPAN;
  /** The last context, and its span: contexts do not change. */
  let lastContext: unknown;
  let lastSpan: SpanIds = NO_SPAN;
  let uncover: Undo = () => {};
  /** Ends the wait for the first SDK. */
  let found: Undo = () => {};

  const switchTo = (span: SpanIds): void => {
    if (span.span === known.span && span.trace === known.trace) return;
    known = span;
    told(span);
  };
  const update = (): void => {
    if (!isOn || storage === undefined) return;
    try {
      const context = getStore(storage);
      if (context !== lastContext) {
        lastContext = context;
        lastSpan = spanOfContext(context);
      }
      switchTo(lastSpan);
    } catch {
      // The stack is full, or memory is short.
    }
  };
  /** The function runs in a context that is known when it begins. */
  const inside = (fn: unknown): unknown =>
    typeof fn !== 'function'
      ? fn
      : function (this: unknown, ...args: unknown[]): unknown {
          update();
          return reflectApply(fn as AnyMethod, this, args);
        };
  /** @param index the argument of the method that is the function */
  const running =
    (index: number) =>
    (original: AnyMethod): AnyMethod =>
      ({
        run(this: unknown, ...args: unknown[]): unknown {
          args[index] = inside(args[index]);
          try {
            return reflectApply(original, this, args);
          } finally {
            update();
          }
        },
      }).run;
  const changing = (original: AnyMethod): AnyMethod =>
    ({
      change(this: unknown, ...args: unknown[]): unknown {
        const result = reflectApply(original, this, args);
        update();
        return result;
      },
    }).change;

  const registered = new RegisteredStorage((present) => {
    found();
    found = () => {};
    uncover();
    uncover = () => {};
    storage = present;
    lastContext = undefined;
    lastSpan = NO_SPAN;
    if (present === undefined) return switchTo(NO_SPAN);
    uncover = undoAll([
      coverMethod<AnyMethod>(present, 'run', running(1)),
      coverMethod<AnyMethod>(present, 'exit', running(0)),
      coverMethod<AnyMethod>(present, 'enterWith', changing),
      coverMethod<AnyMethod>(present, 'disable', changing),
    ]);
    update();
  });
  // An SDK that registers and works in one go is found by its first span, which runs in a context.
  if (storage === undefined) {
    found = replaceMethod<AnyMethod>(
      AsyncLocalStorage.prototype,
      'run',
      (original) =>
        ({
          run(this: unknown, ...args: unknown[]): unknown {
            if (isOn && storage === undefined) registered.look();
            return reflectApply(this === storage ? running(1)(original) : original, this, args);
          },
        }).run,
    );
  }
  const undo = undoAll([
    () => found(),
    () => uncover(),
    // From Node 24 on, a resource's context is there only after its run was told.
    replaceMethod<AnyMethod>(AsyncResource.prototype, 'runInAsyncScope', running(0)),
    contexts.listen({
      level: LEVEL,
      running() {
        if (contexts.depth === 1) registered.look();
        update();
      },
      ran() {
        if (contexts.depth <= 1) switchTo(NO_SPAN);
        else update();
      },
    }),
  ]);
  return () => {
    isOn = false;
    undo();
  };
}

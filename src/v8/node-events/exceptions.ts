import { traceClock } from '../../ring-buffer/clock.js';
import { string, symbol, u32 } from '../../tracepoint/fields.js';
import { coverMethod } from '../realm/lookalike.js';
import { getPrototypeOf, reflectApply, SafeMap, SafeWeakMap } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { messageOf, typeOf } from '../tracers/thrown-value.js';
import { type NodeEvent, nodeEventSystem } from './node-event-system.js';
import { watchPromiseMakers } from './promise-makers.js';
import { watchRejections } from './rejections.js';
import { createThrownAt } from './thrown-at.js';

type Exceptions = {
  caught_exception: [error: unknown, isKnown: boolean, at: string, catcher: number];
  uncaught_exception: [error: unknown, origin: string, at: string];
  unhandled_rejection: [reason: unknown, promise: number, at: string, rejecter: number, maker: number];
  rejection_handled: [promise: number];
  warning: [warning: unknown, at: string];
};

/** The type of what a catch has not handed over. */
const UNKNOWN = '?';

const type = string((error: unknown) => typeOf(error));
const msg = string((error: unknown) => messageOf(error) as string);

const EVENTS: { readonly [N in keyof Exceptions]: NodeEvent<Exceptions[N]> } = {
  caught_exception: {
    args: ['error', 'is_known', 'at', 'catcher'],
    fields: {
      type: string((error, isKnown) => (isKnown ? typeOf(error) : UNKNOWN)),
      msg: string((error, isKnown) => (isKnown ? (messageOf(error) as string) : '')),
      at: string((_error, _isKnown, at) => at),
      catcher: symbol((_error, _isKnown, _at, catcher) => catcher),
    },
    print: '"%s: %s at=%s catcher=%pS", __get_str(type), __get_str(msg), __get_str(at), (void *)REC->catcher',
  },
  uncaught_exception: {
    args: ['error', 'origin', 'at'],
    fields: { type, msg, origin: string((_error, origin) => origin), at: string((_error, _origin, at) => at) },
    print: '"%s: %s origin=%s at=%s", __get_str(type), __get_str(msg), __get_str(origin), __get_str(at)',
  },
  unhandled_rejection: {
    args: ['reason', 'promise', 'at', 'rejecter', 'maker'],
    fields: {
      type,
      msg,
      promise: u32((_reason, promise) => promise),
      at: string((_reason, _promise, at) => at),
      rejecter: symbol((_reason, _promise, _at, rejecter) => rejecter),
      maker: symbol((_reason, _promise, _at, _rejecter, maker) => maker),
    },
    print:
      '"%s: %s promise=%u at=%s rejecter=%pS maker=%pS", __get_str(type), __get_str(msg), REC->promise, __get_str(at), (void *)REC->rejecter, (void *)REC->maker',
  },
  rejection_handled: {
    args: ['promise'],
    fields: { promise: u32((promise) => promise) },
    print: '"promise=%u", REC->promise',
  },
  warning: {
    args: ['warning', 'at'],
    fields: { type, msg, at: string((_warning, at) => at) },
    print: '"%s: %s at=%s", __get_str(type), __get_str(msg), __get_str(at)',
  },
};

type Emit = (this: unknown, ...args: unknown[]) => boolean;
type Heard = (event: unknown, first: unknown, second: unknown) => void;

const heard = new SafeMap<Heard, true>();
let restoreEmit: Undo = () => {};

/** Hears of the events of `process`, as a listener would count as handling them, until what it returns is called. */
function hearProcess(see: Heard): Undo {
  if (heard.size === 0) restoreEmit = coverEmit();
  heard.set(see, true);
  return () => {
    heard.delete(see);
    if (heard.size === 0) restoreEmit();
  };
}

function coverEmit(): Undo {
  // The program may have wrapped an earlier one, which stays below its wrapper.
  let isOn = true;
  const tell: Heard = (event, first, second) =>
    heard.forEach((_on, see) => {
      see(event, first, second);
    });
  const standIn = (original: Emit): Emit =>
    ({
      emit(this: unknown, ...args: unknown[]): boolean {
        if (isOn && this === process) tell(args[0], args[1], args[2]);
        return reflectApply(original, this, args) as boolean;
      },
    }).emit;
  // Where it is inherited, process itself stays without it.
  const holder = Object.hasOwn(process, 'emit') ? process : (getPrototypeOf(process) as object);
  const undo = coverMethod<Emit>(holder, 'emit', standIn);
  return () => {
    isOn = false;
    undo();
  };
}

let last = 0;
const promises = new SafeWeakMap<object, number>();

/** The number of a promise in the events. */
function numberOf(promise: unknown): number {
  if (typeof promise !== 'object' || promise === null) return 0;
  const known = promises.get(promise);
  if (known === undefined) promises.set(promise, ++last);
  return known ?? last;
}

/**
 * What is thrown, whether it is caught or not, and warnings. What is caught is handed over by the sites of `catch`; the others
 * are seen in `process.emit`, because a listener for unhandled rejections would count as handling them.
 */
export const exceptions = nodeEventSystem<Exceptions>('exceptions', {
  events: EVENTS,
  sources: [
    {
      events: ['caught_exception'],
      start({ caught_exception }, { listenToCatches, texts, caller, missed }) {
        const thrownAt = createThrownAt(texts);
        return listenToCatches((error, isKnown) => {
          try {
            caught_exception(error, isKnown, isKnown ? thrownAt(error) : '', caller() ?? 0);
          } catch {
            // The stack is full.
            missed();
          }
        });
      },
    },
    {
      events: ['unhandled_rejection'],
      start({ unhandled_rejection }, { texts, rejection, promiseMaker }) {
        const thrownAt = createThrownAt(texts);
        const makers = watchPromiseMakers(promiseMaker, traceClock);
        const rejections = watchRejections(rejection, makers);
        const stop = hearProcess((event, reason, promise) => {
          if (event !== 'unhandledRejection') return;
          const { at = '', rejecter = 0, maker = 0 } = rejections.of(promise) ?? {};
          unhandled_rejection(reason, numberOf(promise), thrownAt(reason) || at, rejecter, maker);
        });
        return undoAll([stop, rejections.end, makers.end]);
      },
    },
    {
      events: ['uncaught_exception', 'rejection_handled', 'warning'],
      start(trace, { texts }) {
        const thrownAt = createThrownAt(texts);
        return hearProcess((event, first, second) => {
          if (event === 'uncaughtExceptionMonitor') trace.uncaught_exception(first, second as string, thrownAt(first));
          else if (event === 'rejectionHandled') trace.rejection_handled(numberOf(first));
          else if (event === 'warning') trace.warning(first, thrownAt(first));
        });
      },
    },
  ],
});

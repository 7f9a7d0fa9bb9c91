/** Where the first call that awaits a promise is: index into AwaitPlaces.urls, line and column, both from 1. */
export type AwaitPlace = readonly [promise: number, url: number, line: number, column: number];

/** The value of AWAIT_PLACES, as JSON. */
export interface AwaitPlaces {
  readonly urls: readonly string[];
  readonly places: readonly AwaitPlace[];
  /** Whether there were more promises than time, or the stack was too deep. */
  readonly isCut: boolean;
}

/** No place is looked for with so many calls on the thread's stack: each would be seen again for each promise. */
const DEEP = 200;
/** Milliseconds that it may take. */
const MOST = 2000;

/**
 * The source of a function that finds where calls wait for promises, called with `this` a list of promises and the module `vm`.
 *
 * V8 knows for a promise which call awaits it, and where, and tells it only as the asynchronous part of an error's stack: the
 * calls that would go on if the promise of the microtask that runs was fulfilled. So a microtask is made for each promise whose
 * own promise would settle this one. It never does: the functions that would are empty. They run in a context with a queue of its
 * own, so that no microtask of the program runs, and the `Error` of the program is not touched.
 */
export const AWAIT_PLACES = `function (vm) {
  const context = vm.createContext({ list: this }, { microtaskMode: 'afterEvaluate' });
  return vm.runInContext(${JSON.stringify(insideText())}, context) ?? context.answer;
}`;

/** What runs in the context. Its last value is undefined: the answer is there when its microtasks have run. */
function insideText(): string {
  return `{
  const { then } = Promise.prototype;
  const found = [];
  const urls = new Map();
  const end = Date.now() + ${MOST};
  let isCut = false;
  let sites;
  Error.prepareStackTrace = (_error, all) => { sites = all; };
  const stack = (limit) => {
    sites = [];
    Error.stackTraceLimit = limit;
    const trace = {};
    Error.captureStackTrace(trace);
    trace.stack;
    return sites;
  };
  let depth = 0;
  const measure = () => { depth = stack(${DEEP}).length; };
  const look = (index) => {
    if (isCut || (isCut = depth === ${DEEP} || Date.now() > end)) return;
    const site = stack(depth + 1)[depth];
    if (site === undefined || !site.isAsync() || site.isPromiseAll()) return;
    const url = site.getScriptNameOrSourceURL() ?? '';
    if (!urls.has(url)) urls.set(url, urls.size);
    found.push([index, urls.get(url), site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0]);
  };
  const nothing = () => {};
  const first = Promise.resolve();
  then.call(first, () => measure());
  for (let i = 0; i < list.length; i++) {
    const promise = list[i];
    const step = then.call(first, () => look(i));
    const species = function (executor) {
      executor(nothing, nothing);
      return promise;
    };
    Object.defineProperty(step, 'constructor', { value: { [Symbol.species]: species } });
    then.call(step, undefined);
  }
  const last = (left) => {
    if (left > 0) return void then.call(first, () => last(left - 1));
    answer = JSON.stringify({ urls: [...urls.keys()], places: found, isCut });
  };
  last(2);
}
void 0`;
}

import type { Frame } from '../place.js';
import type { CallbackKind } from './slow-answer.js';

/** Node's function that calls back, by its file and name; the first that fits. Outer functions are asked first. */
const KINDS: readonly (readonly [kind: CallbackKind, file: RegExp, name: RegExp])[] = [
  ['immediate', /^node:internal\/timers$/, /processImmediate$/],
  ['timer', /^node:internal\/timers$/, /(?:processTimers|listOnTimeout)$/],
  ['request', /^node:(?:_http_server|_http_common|internal\/http2\/core)$/, /./],
  ['connection', /^node:net$/, /^onconnection$/],
  ['socket', /^node:(?:internal\/stream_base_commons|net|dgram|_tls_wrap|internal\/tls\/wrap)$/, /./],
  ['message', /^node:internal\/(?:per_context\/messageport|worker\/io|worker)$/, /./],
  ['process message', /^node:internal\/child_process\/serialization$/, /./],
  ['process message', /^node:internal\/child_process$/, /onread|handleMessage|emit/i],
  ['child process', /^node:(?:internal\/)?child_process$/, /./],
  ['file', /^node:(?:fs|internal\/fs\/.*)$/, /./],
  ['dns', /^node:(?:dns|internal\/dns\/.*)$/, /./],
  ['worker pool', /^node:(?:zlib|internal\/crypto\/.*)$/, /./],
  ['signal', /^node:internal\/process\/signal$/, /./],
  ['nextTick', /^node:internal\/process\/task_queues$/, /./],
  ['start', /^node:internal\/(?:main|modules)\/.*$/, /./],
];

/** V8's function that runs promise reactions for Node. */
const REACTIONS = 'runMicrotasks';

/**
 * What the event loop called, by a stack (innermost first) without the functions that only wait for it. Reactions of promises
 * that Node starts from its own code have none of Node's functions around them.
 */
export function callbackKind(stack: readonly Frame[]): CallbackKind {
  const outermost = stack.at(-1);
  if (outermost === undefined) return 'promise';
  if (stack.some(({ name }) => name === REACTIONS)) return 'promise';
  if (outermost.package !== 'node') return 'promise';
  for (let i = stack.length - 1; i >= 0 && stack[i]!.package === 'node'; i--) {
    const { name, place } = stack[i]!;
    const known = place && KINDS.find(([, file, word]) => file.test(place.file) && word.test(name));
    if (known !== undefined) return known[0];
  }
  return 'callback';
}

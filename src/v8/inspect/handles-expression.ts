import type { HeldOrigin } from '../async/handle-origins.js';

/** A handle as HANDLES finds it. */
export interface FoundHandle {
  readonly kind: string;
  readonly keeps: boolean;
  readonly what: string;
  /** The index of the function that it calls; -1: none is known. */
  readonly calls: number;
  readonly made?: HeldOrigin;
}

/** The value of HANDLES: `functions` is the list that indexes of functions are of. */
export interface FoundHandles {
  readonly handles: readonly FoundHandle[];
  readonly hasOrigins: boolean;
}

/** Makes what HANDLES needs: Node's modules, and the prototype of timers. */
export const HANDLE_MODULES = `(() => {
  const load = process.getBuiltinModule ?? require;
  const timers = load('timers');
  const probe = timers.setTimeout(() => {}, 1e6);
  timers.clearTimeout(probe);
  return { net: load('net'), dgram: load('dgram'), child: load('child_process'), fs: load('fs'), probe, timers: Object.getPrototypeOf(probe) };
})()`;

/**
 * The source of a function that lists the handles of its thread, called with `this` the list of its timers, or null. It reads
 * properties, and calls nothing of the program's. Returns an object: `json` is FoundHandles, `functions` the functions.
 */
export const HANDLES = `function ({ net, dgram, child, timers, probe }) {
  const functions = [];
  const indexes = new Map();
  const handles = [];
  const read = (object, name) => {
    for (let holder = object; holder !== null && holder !== undefined; holder = Object.getPrototypeOf(holder)) {
      const descriptor = Object.getOwnPropertyDescriptor(holder, name);
      if (descriptor !== undefined) return descriptor.value;
    }
    return undefined;
  };
  const attempt = (work) => {
    try { return work(); } catch { return undefined; }
  };
  const indexOf = (value) => {
    const first = Array.isArray(value) ? value[0] : value;
    const listener = typeof first === 'function' ? read(first, 'listener') : undefined;
    const called = typeof listener === 'function' ? listener : first;
    if (typeof called !== 'function') return -1;
    if (!indexes.has(called)) indexes.set(called, functions.push(called) - 1);
    return indexes.get(called);
  };
  const listener = (emitter, ...names) => {
    const events = read(emitter, '_events');
    return names.map((name) => indexOf(events && read(events, name))).find((index) => index >= 0) ?? -1;
  };
  const origins = process[Symbol.for('fentry.agent')]?.origins;
  const originOf = (...resources) => {
    for (const one of resources) {
      const made = one !== null && typeof one === 'object' ? attempt(() => origins?.of(one)) : undefined;
      if (made !== undefined) return made;
    }
    return undefined;
  };
  const add = (kind, keeps, what, calls, ...resources) => {
    handles.push({ kind, keeps, what: what.filter(Boolean).join(', '), calls, made: originOf(...resources) });
  };
  const symbol = (object, name) => Object.getOwnPropertySymbols(object).find(({ description }) => description === name);
  const milliseconds = (value) => (value >= 1000 ? (value / 1000).toFixed(1) + ' s' : Math.max(0, Math.round(value)) + ' ms');
  const now = probe._idleStart;
  for (const timer of this ?? []) {
    const called = read(timer, '_onTimeout');
    const idle = read(timer, '_idleTimeout');
    if (timer === probe || timer === timers || typeof called !== 'function' || !(idle >= 0) || read(timer, '_destroyed')) continue;
    const repeat = read(timer, '_repeat');
    const refed = symbol(timer, 'refed');
    const due = read(timer, '_idleStart') + idle - now;
    const every = typeof repeat === 'number' ? 'every ' + milliseconds(repeat) : 'of ' + milliseconds(idle);
    add(typeof repeat === 'number' ? 'interval' : 'timeout', refed === undefined || timer[refed] !== false,
      [every, due < 0 ? 'overdue' : 'due in ' + milliseconds(due)], indexOf(called), timer);
  }
  const counted = (count, noun) => count + ' ' + noun + (count === 1 ? '' : 's');
  const bare = ({ address, port }) => (address === undefined ? '' : (address.includes(':') ? '[' + address + ']' : address) + ':' + port);
  const named = (handle, method) => {
    const out = {};
    return attempt(() => handle[method](out)) === 0 ? bare(out) : '';
  };
  const describe = (handle) => {
    const inner = attempt(() => handle._handle);
    const type = attempt(() => Object.getPrototypeOf(handle).constructor.name) ?? 'handle';
    if (handle instanceof net.Server) {
      const pipe = read(handle, '_pipeName');
      const at = pipe ?? named(inner, 'getsockname');
      return ['server', [at && 'on ' + at, counted(read(handle, '_connections') ?? 0, 'connection')], listener(handle, 'request', 'connection'), inner];
    }
    if (handle instanceof net.Socket) {
      const fd = attempt(() => inner?.fd) ?? -1;
      const name = attempt(() => Object.getPrototypeOf(inner).constructor.name) ?? '';
      const [local, remote] = [named(inner, 'getsockname'), named(inner, 'getpeername')];
      const kind = read(handle, 'isTTY') === true ? 'terminal' : name === 'Pipe' ? 'pipe' : 'socket';
      const bytes = attempt(() => inner.bytesRead + ' bytes read, ' + inner.bytesWritten + ' written');
      const ends = local && remote ? local + ' to ' + remote : local || remote;
      return [kind, [ends, fd >= 0 && fd <= 2 ? ['stdin', 'stdout', 'stderr'][fd] : '', bytes], listener(handle, 'data', 'readable', 'connect', 'close'), inner];
    }
    if (handle instanceof child.ChildProcess) {
      const command = (read(handle, 'spawnargs') ?? [read(handle, 'spawnfile')]).join(' ');
      return ['child process', ['pid ' + read(handle, 'pid'), String(command).slice(0, 200)], listener(handle, 'exit', 'close'), inner];
    }
    if (handle instanceof dgram.Socket) {
      const state = symbol(handle, 'state symbol');
      const udp = state === undefined ? undefined : handle[state]?.handle;
      const at = named(udp, 'getsockname');
      return ['udp socket', [at && 'on ' + at], listener(handle, 'message'), udp];
    }
    const kinds = { MessagePort: 'message port', FSEvent: 'file watcher', StatWatcher: 'file watcher', FSWatcher: 'file watcher', Pipe: 'pipe', Process: 'child process' };
    return [kinds[type] ?? type, [], listener(handle, 'message', 'change'), inner];
  };
  for (const handle of attempt(() => process._getActiveHandles()) ?? []) {
    const [kind, what, calls, resource] = describe(handle);
    add(kind, true, what, calls, resource, handle);
  }
  for (const request of attempt(() => process._getActiveRequests()) ?? []) {
    const type = attempt(() => Object.getPrototypeOf(request).constructor.name) ?? '';
    const host = read(request, 'hostname');
    const address = read(request, 'address');
    const what = [type, typeof host === 'string' ? host : '', typeof address === 'string' ? 'to ' + address + ':' + read(request, 'port') : ''];
    const context = read(request, 'context');
    const called = read(request, 'callback') ?? (context && read(context, 'callback')) ?? read(request, 'oncomplete');
    add('request', true, what, indexOf(called), request);
  }
  return { functions, json: JSON.stringify({ handles, hasOrigins: origins !== undefined }) };
}`;

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

/**
 * Makes what HANDLES needs: Node's modules, the prototype of timers, and the one of all that Node wraps: handles, requests, jobs
 * of the thread pool. Such a thing is made if the thread has none.
 */
export const HANDLE_MODULES = `(() => {
  const load = process.getBuiltinModule ?? require;
  const wrapOf = (object) => {
    for (let holder = object; holder !== null && typeof holder === 'object'; holder = Object.getPrototypeOf(holder)) {
      const maker = Object.getOwnPropertyDescriptor(holder, 'constructor')?.value;
      if (typeof maker === 'function' && maker.name === 'AsyncWrap') return holder;
    }
    return undefined;
  };
  const inners = () => process._getActiveHandles().map((one) => Object.getOwnPropertyDescriptor(one, '_handle')?.value);
  const known = () => [...process._getActiveHandles(), ...inners()].map(wrapOf).find(Boolean);
  const made = () => {
    const { _handle: handle } = load('zlib').createDeflateRaw({ windowBits: 9, memLevel: 1, chunkSize: 64 });
    handle.close();
    return wrapOf(handle);
  };
  const attempt = (work) => {
    try { return work(); } catch { return undefined; }
  };
  const timers = load('timers');
  const probe = timers.setTimeout(() => {}, 1e6);
  timers.clearTimeout(probe);
  return { net: load('net'), dgram: load('dgram'), child: load('child_process'), fs: load('fs'), probe, timers: Object.getPrototypeOf(probe), wraps: attempt(known) ?? attempt(made), workers: load('worker_threads').Worker.prototype };
})()`;

/**
 * The source of a function that lists the handles of its thread, called with `this` the list of its timers, or null, and the
 * lists of what Node wraps, and of its workers, or undefined. It reads properties, and calls nothing of the program's. Returns an
 * object: `json` is FoundHandles, `functions` the functions.
 */
export const HANDLES = `function ({ net, dgram, child, timers, probe }, wraps, workers) {
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
    const key = events === undefined ? symbol(emitter, 'kEvents') : undefined;
    const targets = key === undefined ? undefined : read(emitter, key);
    const heard = (name) => targets && read(attempt(() => Map.prototype.get.call(targets, name))?.next, 'callback');
    return names.map((name) => indexOf(events ? read(events, name) : heard(name))).find((index) => index >= 0) ?? -1;
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
  /** A stream keeps the loop alive while it reads, writes or connects: one that is only open does not. */
  const isActive = (socket, inner) =>
    attempt(() => inner.reading) === true || attempt(() => inner.writeQueueSize) > 0 || read(socket, 'connecting') === true;
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
      return [kind, [ends, fd >= 0 && fd <= 2 ? ['stdin', 'stdout', 'stderr'][fd] : '', bytes], listener(handle, 'data', 'readable', 'connect', 'close'), inner, isActive(handle, inner)];
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
  const seen = new Set();
  for (const handle of attempt(() => process._getActiveHandles()) ?? []) {
    const [kind, what, calls, resource, isActive = true] = describe(handle);
    seen.add(handle).add(resource);
    add(kind, isActive, what, calls, resource, handle);
  }
  const ownerOf = (wrap) => {
    const name = symbol(wrap, 'owner_symbol');
    return name === undefined ? undefined : wrap[name];
  };
  const POOL = 'in the thread pool';
  // Node may have freed what stands behind such an object: none of their methods is called. All that keeps the loop alive was
  // listed already, so a handle that its owner still has is unref'd.
  for (const wrap of wraps ?? []) {
    const type = attempt(() => Object.getPrototypeOf(wrap).constructor.name);
    const isPrototype = Object.getOwnPropertyDescriptor(wrap, 'constructor') !== undefined;
    if (typeof type !== 'string' || isPrototype || seen.has(wrap)) continue;
    // V8 keeps one of each kind that was never used, to copy it.
    if (type.endsWith('Job')) {
      const done = read(wrap, 'ondone');
      if (typeof done === 'function') add('request', true, [type, POOL], indexOf(done), wrap);
    } else if (/^(Zlib|Brotli|Zstd)/.test(type)) {
      if (!read(wrap, 'buffer')) continue;
      const stream = ownerOf(wrap);
      const called = indexOf(read(stream, 'cb'));
      add('request', true, [type, POOL], called >= 0 ? called : listener(stream, 'end', 'data'), wrap);
    } else {
      const name = symbol(wrap, 'owner_symbol');
      const owner = name === undefined ? undefined : read(wrap, name);
      if (owner !== undefined && owner !== null) addUnrefed(owner, wrap);
    }
  }
  function addUnrefed(owner, wrap) {
    const state = symbol(owner, 'state symbol');
    if ((state === undefined ? read(owner, '_handle') : read(owner, state)?.handle) !== wrap) return;
    if (owner instanceof net.Server) {
      // As it was asked for: \`4:127.0.0.1:8080\`. Port 0 was any one.
      const [, address, port] = /^-?\\d+:(.*):(\\d+)$/.exec(read(owner, '_connectionKey') ?? '') ?? [];
      const host = port === undefined ? '' : address.includes(':') ? '[' + address + ']:' : address + ':';
      const at = read(owner, '_pipeName') ?? (port === undefined ? '' : host + (port === '0' ? 'any' : port));
      add('server', false, [at && 'on ' + at, counted(read(owner, '_connections') ?? 0, 'connection')], listener(owner, 'request', 'connection'), wrap, owner);
    } else if (owner instanceof net.Socket) {
      const kind = read(owner, 'isTTY') === true ? 'terminal' : 'socket';
      add(kind, false, [read(owner, '_host') ?? ''], listener(owner, 'data', 'readable', 'connect', 'close'), wrap, owner);
    } else if (owner instanceof dgram.Socket) add('udp socket', false, [], listener(owner, 'message'), wrap, owner);
    else if (attempt(() => Object.getPrototypeOf(owner).constructor.name) === 'FSWatcher') {
      add('file watcher', false, [], listener(owner, 'change'), wrap, owner);
    } else if (owner instanceof child.ChildProcess) {
      add('child process', false, ['pid ' + read(owner, 'pid')], listener(owner, 'exit', 'close'), wrap, owner);
    }
  }
  for (const worker of workers ?? []) {
    const key = symbol(worker, 'kHandle');
    const handle = key === undefined ? undefined : read(worker, key);
    // It is null as soon as the worker has ended.
    if (handle === undefined || handle === null) continue;
    const keeps = attempt(() => handle.hasRef()) !== false;
    add('worker', keeps, [String(read(handle, 'threadId') ?? '')], listener(worker, 'message', 'exit'), handle, worker);
  }
  const immediates = (attempt(() => process.getActiveResourcesInfo()) ?? []).filter((one) => one === 'Immediate').length;
  if (immediates > 0) add('immediate', true, [immediates === 1 ? '' : immediates + ' of them'], -1);
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

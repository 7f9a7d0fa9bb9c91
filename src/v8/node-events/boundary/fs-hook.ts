import { unseenThen } from '../../../base/unseen-microtask.js';
import { isUntracedFileWork } from '../../../base/untraced-fs.js';
import { replaceMethod } from '../../realm/lookalike.js';
import { getPrototypeOf, reflectApply } from '../../realm/primordials.js';
import { type Undo, undoAll } from '../../realm/undo.js';
import { atCompletion } from './completion.js';
import { type Args, CLOSE_HANDLE, FS_CALLS, FS_JOBS, type FsCall } from './fs-calls.js';
import { nativeBinding } from './native-binding.js';
import { nextId } from './object-ids.js';
import { hearReadFile, loadReadFile } from './read-file.js';
import { sharedHook } from './shared-hook.js';
import { errnoOf, errorCode, numberOf, ownValue } from './values.js';

/** A call of a file function that is under way. */
export interface FsRequest {
  readonly id: number;
  readonly call: FsCall;
  readonly args: Args;
  readonly via: FsVia;
  /** For the listener: when it began, in nanoseconds, and the file's name. */
  begun: number;
  path: string;
}

/** How the program asked: it waits, gave a callback, or has a promise. */
export const FS_VIA = { sync: 0, callback: 1, promise: 2 } as const;
export type FsVia = (typeof FS_VIA)[keyof typeof FS_VIA];

/** Hears of each call of a file function, of the public ones and of Node's own. Must not throw. */
export interface FsListener {
  enter(request: FsRequest): void;
  /** @param ret what the system call returned, or its error as a negative number, which `error` names */
  exit(request: FsRequest, ret: number, error: string): void;
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Listens to all calls that go through Node's file binding, the one place that sync, callback and promise functions share. */
export const listenToFs = sharedHook<FsListener>((listeners) => {
  const binding = nativeBinding('fs');
  if (binding === undefined) return () => {};
  loadReadFile();
  const promises = binding.kUsePromises;
  const requestPrototype = ownValue(binding.FSReqCallback, 'prototype');

  function enter(call: FsCall, args: Args, via: FsVia): FsRequest {
    const request: FsRequest = { id: nextId(), call, args, via, begun: 0, path: '' };
    for (let i = 0; i < listeners.length; i++) listeners[i]!.enter(request);
    return request;
  }
  function exit(request: FsRequest, ret: number, error: string): void {
    for (let i = 0; i < listeners.length; i++) listeners[i]!.exit(request, ret, error);
  }
  function succeeded(request: FsRequest, value: unknown): void {
    const { result } = request.call;
    exit(request, result === undefined ? numberOf(value) : result(value, request.args), '');
  }
  const failed = (request: FsRequest, error: unknown): void => exit(request, errnoOf(error), errorCode(error));

  /** The call's request: an object with a callback, the symbol that asks for a promise, or none. */
  function requestOf(args: Args): object | symbol | undefined {
    for (let i = args.length - 1; i > 0; i--) {
      const one = args[i];
      if (one === promises && typeof one === 'symbol') return one;
      if (typeof one !== 'object' || one === null || ownValue(one, 'oncomplete') === undefined) continue;
      if (getPrototypeOf(one) === requestPrototype) return one;
    }
    return undefined;
  }

  function callSync(call: FsCall, original: Method, self: unknown, args: unknown[]): unknown {
    const request = enter(call, args, FS_VIA.sync);
    try {
      const value = reflectApply(original, self, args);
      // Node 20 has an object for the error, the last argument.
      const last = args[args.length - 1];
      if (ownValue(last, 'errno') !== undefined) failed(request, last);
      else succeeded(request, value);
      return value;
    } catch (error) {
      failed(request, error);
      throw error;
    }
  }

  function callWithCallback(
    call: FsCall,
    original: Method,
    self: unknown,
    args: unknown[],
    target: object,
    key: string,
  ): unknown {
    const request = enter(call, args, FS_VIA.callback);
    const isHeard = atCompletion(target, key, (results) => {
      const error = results[0];
      if (error === undefined || error === null) succeeded(request, results[1]);
      else failed(request, error);
    });
    try {
      const value = reflectApply(original, self, args);
      if (!isHeard) exit(request, 0, '');
      return value;
    } catch (error) {
      failed(request, error);
      throw error;
    }
  }

  function callWithPromise(call: FsCall, original: Method, self: unknown, args: unknown[], shown: Args = args): unknown {
    const request = enter(call, shown, FS_VIA.promise);
    try {
      const promise = reflectApply(original, self, args);
      unseenThen(
        promise as Promise<unknown>,
        (value) => succeeded(request, value),
        (error) => failed(request, error),
      );
      return promise;
    } catch (error) {
      failed(request, error);
      throw error;
    }
  }

  const replace = (holder: object, key: string, run: (original: Method, self: unknown, args: unknown[]) => unknown): Undo =>
    replaceMethod<Method>(
      holder,
      key,
      (original) =>
        ({
          [key](this: unknown, ...args: unknown[]): unknown {
            // Node may have taken the stand-in for its own use: a module of its library that was loaded meanwhile.
            return listeners.length === 0 || isUntracedFileWork()
              ? reflectApply(original, this, args)
              : run(original, this, args);
          },
        })[key]!,
    );

  const undos = Object.entries(FS_CALLS).map(([name, call]) =>
    replace(binding, name, (original, self, args) => {
      const target = requestOf(args);
      if (target === undefined) return callSync(call, original, self, args);
      if (typeof target === 'symbol') return callWithPromise(call, original, self, args);
      return callWithCallback(call, original, self, args, target, 'oncomplete');
    }),
  );
  const handles = ownValue(binding.FileHandle, 'prototype');
  if (typeof handles === 'object' && handles !== null) {
    undos.push(
      replace(handles, 'close', (original, self, args) => callWithPromise(CLOSE_HANDLE, original, self, args, [handleFd(self)])),
    );
  }
  for (const [name, call] of Object.entries(FS_JOBS)) {
    const jobs = ownValue(binding[name], 'prototype');
    if (typeof jobs !== 'object' || jobs === null) continue;
    undos.push(
      replace(jobs, 'run', (original, self, args) => callWithCallback(call, original, self, args, self as object, 'ondone')),
    );
  }
  undos.push(
    hearReadFile(requestPrototype, (request, name, args) => {
      const begun = enter(FS_CALLS[name]!, args, FS_VIA.callback);
      atCompletion(request, 'oncomplete', ([error, value]) => {
        if (error === undefined || error === null) succeeded(begun, value);
        else failed(begun, error);
      });
    }),
  );
  return undoAll(undos);
});

/** The fd of a FileHandle: a getter of its class in C++. */
const handleFd = (handle: unknown): number => numberOf((handle as { readonly fd?: unknown }).fd);

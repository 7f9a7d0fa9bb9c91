import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { lookLike, replaceMethod } from '../realm/lookalike.js';
import { defineProperty, getOwnPropertyDescriptor, reflectApply } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';
import type { Undo } from '../realm/undo.js';
import { correctScript, type ScriptCoverage } from './coverage.js';
import type { Linker } from './linker.js';
import { MENTION } from './mentions.js';

type Callback = (this: unknown, error: unknown, result?: unknown) => unknown;
type Post = (this: unknown, method: unknown, ...rest: unknown[]) => unknown;
type Inspector = { readonly Session?: { readonly prototype: { post: Post } } };

/** The methods of the inspector whose results have coverage offsets. */
const COUNTS = ['Profiler.takePreciseCoverage', 'Profiler.getBestEffortCoverage'] as const;
const COUNTING = 'Profiler.startPreciseCoverage';

const PROMISES = 'NativeModule inspector/promises';
const INSPECTOR = 'NativeModule inspector';

/** Gives the callback a result with the offsets of the original texts. */
const correcting = (callback: Callback, texts: Texts): Callback =>
  function (this: unknown, ...args: [error: unknown, result?: unknown]): unknown {
    try {
      const scripts = (args[1] as { result?: readonly ScriptCoverage[] } | undefined)?.result ?? [];
      for (let i = 0; i < scripts.length; i++) correctScript(scripts[i] as ScriptCoverage, texts);
    } catch {
      // V8's own offsets are better than another error.
    }
    return reflectApply(callback, this, args);
  };

/** The arguments of `Session.prototype.post` with another callback: it is the last of them, the parameters may be left out. */
const withCallback = (args: readonly unknown[], texts: Texts): unknown[] => {
  const method = args[0];
  const params = args[1];
  const callback = args[2];
  if (typeof callback === 'function') return [method, params, correcting(callback as Callback, texts)];
  if (!callback && typeof params === 'function') return [method, correcting(params as Callback, texts)];
  const same: unknown[] = [];
  for (let i = 0; i < args.length; i++) same[i] = args[i];
  return same;
};

const hookPost = (prototype: object, texts: Texts, begins: () => void): Undo =>
  replaceMethod<Post>(prototype, 'post', (native) => {
    // biome-ignore lint/suspicious/noRedundantUseStrict: the bundle is no module, and sloppy functions have properties more
    'use strict';
    return {
      post(this: unknown, ...args: unknown[]): unknown {
        const method = args[0];
        if (method === COUNTING) {
          texts.keepSources();
          texts.keepEvery();
          begins();
        }
        const counts = method === COUNTS[0] || method === COUNTS[1];
        return reflectApply(native, this, (counts ? withCallback(args, texts) : args) as [unknown]);
      },
    }.post;
  });

/** Node builds the second method from the first one; if it did so before the first was replaced, it is built again. */
const remakePromises = ({ Session }: Inspector, post: Post): Undo => {
  const descriptor = Session && getOwnPropertyDescriptor(Session.prototype, 'post');
  if (Session === undefined || descriptor?.configurable !== true) return () => {};
  const value = lookLike(promisify(post as never) as unknown as Post, descriptor.value as Post);
  defineProperty(Session.prototype, 'post', { ...descriptor, value });
  return () => {
    if (getOwnPropertyDescriptor(Session.prototype, 'post')?.value === value)
      defineProperty(Session.prototype, 'post', descriptor);
  };
};

/**
 * Gives the coverage that the program gets from its own inspector the offsets of the original texts. Loading the inspector
 * takes more than a millisecond, so that happens only if a text names it, or if the program has loaded it.
 * `counts` is called when V8 is about to count.
 */
export const followInspector = (
  linker: Pick<Linker, 'beforeText'>,
  { realm: { texts }, fentryFolder }: { readonly realm: { readonly texts: Texts }; readonly fentryFolder: string },
  counts: () => void,
): Undo => {
  const undos: Undo[] = [];
  const loaded = (process as unknown as { moduleLoadList?: readonly string[] }).moduleLoadList ?? [];
  let seen = 0;
  const isLoaded = (name: string): boolean => {
    for (let i = 0; i < loaded.length; i++) if (loaded[i] === name) return true;
    return false;
  };
  const hasCome = (): boolean => {
    while (seen < loaded.length) if (loaded[seen++] === INSPECTOR) return true;
    return false;
  };
  const stop = linker.beforeText((mentions) => {
    try {
      if (!hasCome() && (mentions & MENTION.inspector) === 0) return;
      stop();
      const require = createRequire(fentryFolder);
      const { Session } = require('node:inspector') as Inspector;
      if (Session === undefined) return;
      const isMade = isLoaded(PROMISES);
      undos.push(hookPost(Session.prototype, texts, counts));
      if (isMade) undos.push(remakePromises(require('node:inspector/promises') as Inspector, Session.prototype.post));
    } catch {
      // A Node without inspector, or a program that must not use it.
    }
  });
  return () => {
    stop();
    for (const undo of undos.reverse()) undo();
  };
};

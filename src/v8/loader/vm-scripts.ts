import vm from 'node:vm';
import { lookLike, replaceMethod } from '../realm/lookalike.js';
import { construct, defineProperty, getPrototypeOf, reflectApply, SafeWeakMap } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { copyCacheKeys, withoutCache } from './code-cache.js';
import type { TextWithSites } from './linker.js';
import type { MicrotaskQueues } from './microtask-queues.js';
import { plainOptions } from './plain-options.js';
import { placementOf, type SharedTexts } from './shared-texts.js';

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;
type AnyClass = new (...args: unknown[]) => object;

const SCRIPT_OPTIONS = ['filename', 'lineOffset', 'columnOffset', 'cachedData', 'produceCachedData'] as const;

/** A text that is about to run, with V8's name for it. */
interface NamedText extends TextWithSites {
  readonly name: string;
}

/** The original of a script, so that its code cache can be that of the original text. */
interface Origin {
  readonly text: NamedText;
  readonly plain: () => object;
}

/**
 * Gives sites to what the program compiles by `vm.Script` and the functions around it, when it has the name of a file that
 * exists. Code caches stay those of the text without sites: one of a text with sites would fit another text of its length,
 * whose functions have other numbers.
 */
export const hookVmScripts = (texts: SharedTexts, queues: MicrotaskQueues): Undo => {
  // biome-ignore lint/suspicious/noRedundantUseStrict: the bundle is no module, and sloppy functions have properties more
  'use strict';
  const exports = vm as unknown as Record<string, unknown>;
  const native = vm.Script as unknown as AnyClass;
  const { prototype } = vm.Script;
  const isContext = (context: unknown): context is object =>
    typeof context === 'object' && context !== null && vm.isContext(context);
  const origins = new SafeWeakMap<object, Origin>();
  /** The text of the script that one of vm's functions is about to make and run. */
  let pending: NamedText | undefined;
  /** The context that is about to be created has its own microtask queue. */
  let pendingQueue = false;

  const textOf = (source: unknown, options: unknown): NamedText | undefined => {
    const read = plainOptions(options, SCRIPT_OPTIONS);
    const placement = read && placementOf(read.lineOffset, read.columnOffset);
    const made = placement && texts.of({ source, name: read.filename, type: 'script', placement });
    return made && { ...made, name: read!.filename as string };
  };

  // A stack's `Script.runInThisContext` has the name from here, whatever a bundler makes of that of a variable.
  const { Script } = {
    Script: function (this: unknown, ...args: unknown[]): object {
      if (new.target === undefined) return reflectApply(native as never, this, args as never) as object;
      const target = new.target === (Script as unknown) ? native : new.target;
      const source = args[0];
      const options = args[1];
      const text = textOf(source, options);
      if (text === undefined) return construct(native, args, target);
      let script: object;
      try {
        script = construct(native, [text.text, withoutCache(options)], target);
      } catch {
        // V8 knows better than the parser: its error must be about the program's text.
        return construct(native, args, target);
      }
      const read = plainOptions(options, SCRIPT_OPTIONS);
      if (read?.cachedData !== undefined || read?.produceCachedData !== undefined)
        copyCacheKeys(construct(native, args, native), script);
      origins.set(script, { text, plain: () => construct(native, [source, withoutCache(options)], native) });
      return script;
    },
  };
  defineProperty(Script, 'prototype', { value: prototype, writable: false, enumerable: false, configurable: false });
  lookLike(Script as never, native as never);
  exports['Script'] = Script;
  defineProperty(prototype, 'constructor', { value: Script, writable: true, enumerable: false, configurable: true });

  const taken = (script: object): NamedText | undefined => {
    const known = origins.get(script)?.text ?? pending;
    pending = undefined;
    return known;
  };
  const here = (run: AnyMethod): AnyMethod =>
    ({
      runInThisContext(this: unknown, ...args: unknown[]): unknown {
        const text = taken(this as object);
        if (text !== undefined) texts.runsHere(text);
        try {
          return reflectApply(run, this, args);
        } catch (error) {
          if (text !== undefined) texts.correct(error, text.name);
          throw error;
        }
      },
    }).runInThisContext;
  const inContext = (run: AnyMethod): AnyMethod =>
    ({
      runInContext(this: unknown, ...args: unknown[]): unknown {
        const text = taken(this as object);
        const context = args[0];
        if (pendingQueue) queues.note(context);
        pendingQueue = false;
        if (text !== undefined && queues.has(context)) {
          return reflectApply(run, origins.get(this as object)?.plain() ?? this, args);
        }
        if (text !== undefined && isContext(context)) texts.runsIn(context, text);
        try {
          return reflectApply(run, this, args);
        } catch (error) {
          if (text !== undefined) texts.correct(error, text.name);
          throw error;
        }
      },
    }).runInContext;
  const inNewContext = (run: AnyMethod): AnyMethod =>
    ({
      runInNewContext(this: unknown, ...args: unknown[]): unknown {
        pendingQueue ||= queues.asks(args[1]);
        try {
          return reflectApply(run, this, args);
        } finally {
          pendingQueue = false;
        }
      },
    }).runInNewContext;
  /** For a function of vm that makes a script of its first argument and runs it. `at` is the place of its options. */
  const making =
    (name: string, at: number) =>
    (run: AnyMethod): AnyMethod =>
      ({
        [name]: function (this: unknown, ...args: unknown[]): unknown {
          if (name === 'runInNewContext') pendingQueue = queues.asks(args[at]);
          const isQueue = pendingQueue || (name === 'runInContext' && queues.has(args[1]));
          const text = isQueue ? undefined : textOf(args[0], args[at]);
          if (text === undefined) return reflectApply(run, this, args);
          const withText: unknown[] = [];
          for (let i = 0; i < args.length; i++) withText[i] = args[i];
          withText[0] = text.text;
          withText[at] = withoutCache(args[at]);
          pending = text;
          try {
            return reflectApply(run, this, withText);
          } catch (error) {
            if (pending === undefined) throw error;
            pending = undefined;
            return reflectApply(run, this, args);
          } finally {
            pending = undefined;
            pendingQueue = false;
          }
        },
      })[name]!;

  return undoAll([
    () => {
      if (exports['Script'] === Script) exports['Script'] = native;
      defineProperty(prototype, 'constructor', { value: native, writable: true, enumerable: false, configurable: true });
    },
    replaceMethod<AnyMethod>(prototype, 'runInThisContext', here),
    replaceMethod<AnyMethod>(prototype, 'runInContext', inContext),
    replaceMethod<AnyMethod>(prototype, 'runInNewContext', inNewContext),
    replaceMethod<AnyMethod>(exports, 'runInThisContext', making('runInThisContext', 1)),
    replaceMethod<AnyMethod>(exports, 'runInContext', making('runInContext', 2)),
    replaceMethod<AnyMethod>(exports, 'runInNewContext', making('runInNewContext', 2)),
    replaceMethod<AnyMethod>(
      getPrototypeOf(prototype) as object,
      'createCachedData',
      (create) =>
        ({
          createCachedData(this: unknown, ...args: unknown[]): unknown {
            const origin = origins.get(this as object);
            return reflectApply(create, origin === undefined ? this : origin.plain(), args);
          },
        }).createCachedData,
    ),
  ]);
};

import vm from 'node:vm';
import { lookLike, replaceMethod } from '../realm/lookalike.js';
import { construct, defineProperty, reflectApply, SafeWeakMap } from '../realm/primordials.js';
import { type Undo, undoAll } from '../realm/undo.js';
import { withoutCache } from './code-cache.js';
import type { MicrotaskQueues } from './microtask-queues.js';
import { plainOptions } from './plain-options.js';
import { placementOf, type SharedTexts } from './shared-texts.js';

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;
type AnyClass = new (...args: unknown[]) => object;

const OPTIONS = ['identifier', 'lineOffset', 'columnOffset', 'cachedData', 'context'] as const;

/**
 * Gives sites to what the program compiles by `vm.SourceTextModule`, when its identifier is a file that exists. Node has the
 * class on request only.
 */
export const hookVmModules = (texts: SharedTexts, queues: MicrotaskQueues): Undo => {
  // biome-ignore lint/suspicious/noRedundantUseStrict: the bundle is no module, and sloppy functions have properties more
  'use strict';
  const exports = vm as unknown as Record<string, unknown>;
  const native = exports['SourceTextModule'] as AnyClass | undefined;
  if (native === undefined) return () => {};
  const prototype = native.prototype as object;
  /** Makes the module without sites, whose code cache is the program's. */
  const plains = new SafeWeakMap<object, () => object>();

  const { SourceTextModule } = {
    SourceTextModule: function (this: unknown, ...args: unknown[]): object {
      if (new.target === undefined) return reflectApply(native as never, this, args as never) as object;
      const target = new.target === (SourceTextModule as unknown) ? native! : new.target;
      const source = args[0];
      const options = args[1];
      const read = plainOptions(options, OPTIONS);
      const placement = read && placementOf(read.lineOffset, read.columnOffset);
      const text =
        placement && !queues.has(read.context) && texts.of({ source, name: read.identifier, type: 'module', placement });
      if (!text) return construct(native!, args, target);
      // Throws if the cache does not belong to the text.
      if (read!.cachedData !== undefined) construct(native!, args, native!);
      let made: object;
      try {
        made = construct(native!, [text.text, withoutCache(options)], target);
      } catch {
        return construct(native!, args, target);
      }
      plains.set(made, () => construct(native!, [source, withoutCache(options)], native!));
      const { context } = read!;
      if (context === undefined) texts.runsHere(text);
      else texts.runsIn(context as object, text);
      return made;
    },
  };
  defineProperty(SourceTextModule, 'prototype', { value: prototype, writable: false, enumerable: false, configurable: false });
  lookLike(SourceTextModule as never, native as never);
  exports['SourceTextModule'] = SourceTextModule;
  defineProperty(prototype, 'constructor', { value: SourceTextModule, writable: true, enumerable: false, configurable: true });

  return undoAll([
    () => {
      if (exports['SourceTextModule'] === SourceTextModule) exports['SourceTextModule'] = native;
      defineProperty(prototype, 'constructor', { value: native, writable: true, enumerable: false, configurable: true });
    },
    replaceMethod<AnyMethod>(
      prototype,
      'createCachedData',
      (create) =>
        ({
          createCachedData(this: unknown, ...args: unknown[]): unknown {
            return reflectApply(create, plains.get(this as object)?.() ?? this, args);
          },
        }).createCachedData,
    ),
  ]);
};

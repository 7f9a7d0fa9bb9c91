import vm from 'node:vm';
import { ArrayIsArray } from '../../base/primordials.js';
import { replaceMethod } from '../realm/lookalike.js';
import { reflectApply, startsWith } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';
import { copyCacheKeys, withoutCache } from './code-cache.js';
import type { MicrotaskQueues } from './microtask-queues.js';
import { plainOptions } from './plain-options.js';
import { placementOf, type SharedTexts } from './shared-texts.js';

type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

const OPTIONS = [
  'filename',
  'lineOffset',
  'columnOffset',
  'cachedData',
  'produceCachedData',
  'parsingContext',
  'contextExtensions',
] as const;

/** Names that begin like those of sites could be names of sites. */
const hasSitesName = (params: unknown): boolean => {
  if (!ArrayIsArray(params)) return false;
  for (let i = 0; i < params.length; i++) {
    const param: unknown = params[i];
    if (typeof param !== 'string' || startsWith(param, '$f')) return true;
  }
  return false;
};

/** Gives sites to what the program compiles by `vm.compileFunction`, when it has the name of a file that exists. */
export const hookVmFunctions = (texts: SharedTexts, queues: MicrotaskQueues): Undo => {
  // biome-ignore lint/suspicious/noRedundantUseStrict: the bundle is no module, and sloppy functions have properties more
  'use strict';
  return replaceMethod<AnyMethod>(
    vm,
    'compileFunction',
    (native) =>
      ({
        compileFunction: function (this: unknown, ...args: unknown[]): unknown {
          const source = args[0];
          const params = args[1];
          const options = args[2];
          const read = plainOptions(options, OPTIONS);
          const placement = read && placementOf(read.lineOffset, read.columnOffset);
          if (placement === undefined || hasSitesName(params) || queues.has(read?.parsingContext))
            return reflectApply(native, this, args);
          const { filename: name, parsingContext: context, contextExtensions: extensions } = read!;
          if (ArrayIsArray(extensions) && extensions.length > 0) {
            texts.refuse({ source, name }, 'with');
            return reflectApply(native, this, args);
          }
          const text = texts.of({ source, name, type: 'commonjs', placement });
          if (text === undefined) return reflectApply(native, this, args);
          let made: object;
          try {
            made = reflectApply(native, this, [text.text, params, withoutCache(options)]) as object;
          } catch {
            return reflectApply(native, this, args);
          }
          if (read!.cachedData !== undefined || read!.produceCachedData !== undefined) {
            copyCacheKeys(reflectApply(native, this, args) as object, made);
          }
          if (context === undefined) texts.runsHere(text);
          else texts.runsIn(context as object, text);
          return made;
        },
      }).compileFunction,
  );
};

import { createRequire } from 'node:module';
import { typesIsNativeError as isNativeError } from '../../base/primordials.js';
import { untraced } from '../../base/untraced-fs.js';
import { reachVariables } from '../breakpoints/reach-variables.js';
import type { repackOf as RepackOfFunction } from '../instrument/index.js';
import type { Texts } from '../realm/texts.js';
import type { LivepatchNeeds } from '../tracers/livepatch-needs.js';
import { type ImportModule, loadReplacements } from './load-replacements.js';
import type { ProgramInterface } from './program-interface.js';
import type { ProgramThread } from './program-thread.js';

type RepackOf = typeof RepackOfFunction;

const laterTurn = setImmediate;

/** What live patches and error injection need from a thread. */
export function createDiversionNeeds({
  thread,
  program,
  fentryFolder,
  texts,
}: {
  readonly thread: ProgramThread;
  readonly program: ProgramInterface;
  readonly fentryFolder: string;
  readonly texts: Texts;
}): LivepatchNeeds {
  const own = <T>(file: string): T => untraced(createRequire(fentryFolder))(file) as T;
  return {
    mark: (text) => program.mark(text),
    faultCondition(n, error) {
      const { name, message } = isNativeError(error) ? error : { name: 'a value', message: '' };
      thread.tell({ type: 'fault condition', n, message: `${name}${message === '' ? '' : `: ${message}`}` });
    },
    load(url) {
      const { importModule } = own<{ importModule: ImportModule }>('./import-module.cjs');
      const { repackOf } = own<{ repackOf: RepackOf }>('./instrument.cjs');
      return loadReplacements(url, importModule, untraced(repackOf));
    },
    reach(request) {
      const { address } = request.function;
      return texts.whenLoaded(address, () => {
        if (!texts.isRepeated(address)) return reachVariables(thread.breakpoints, request);
        request.failed('is there more than once, because the program has loaded the module more than once');
        return () => {};
      });
    },
    tell: (patch, news) => thread.tell({ type: 'livepatch', patch, ...news }),
    afterTurn(run) {
      laterTurn(run).unref();
    },
  };
}

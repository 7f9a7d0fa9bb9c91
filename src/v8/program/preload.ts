/**
 * What `node --require fentry` runs: it loads the agent with V8's code of it. Small, because it is compiled at each start.
 */

import { cacheFolder, preparedFolders } from '../../base/cache/cache-path.js';
import { say } from '../../base/say.js';
import { v8Name } from '../loader/v8-name.js';
import { agentOf } from './agent-property.js';
import { bundleCode } from './bundle-code.js';

/** The folder and file of the bundle, which is CommonJS. */
declare const __dirname: string;
declare const requireOwn_: (id: string) => unknown;
declare const module: { readonly parent?: { readonly id?: string } | null };

/** What the agent loads when it is needed. */
const LATER = ['tracing', 'script-runtime', 'node-events', 'prepared'];

/** The id of the module in whose name Node loads what `--require` names. */
const PRELOADS = 'internal/preload';

const load = (): unknown => {
  const folder = cacheFolder(process.env);
  const code = bundleCode(folder, v8Name(), process.env['FENTRY_PREPARED'] ? preparedFolders(process.env) : undefined);
  const exports = code.load(__dirname, 'agent', requireOwn_, LATER);
  agentOf(process)?.atEnd?.(code);
  return exports;
};

/** A preload that throws ends the program: where a file of fentry is missing or cannot be read, the program runs untraced. */
const loadOrSay = (): unknown => {
  try {
    return load();
  } catch (error) {
    if (module.parent?.id !== PRELOADS) throw error;
    if (process.env['FENTRY']) say(`nothing is traced: ${(error as Error)?.message}`);
    return {};
  }
};

/** What index.ts exports. */
export const agent = loadOrSay();

/**
 * What `node --require fentry` runs: it loads the agent with V8's code of it. Small, because it is compiled at each start.
 */
import { cacheFolder } from '../../../base/cache/cache-path.js';
import { v8Name } from '../loader/v8-name.js';
import { agentOf } from './agent-property.js';
import { ownCode } from './own-code.js';

/** Those of the bundle, which is CommonJS. */
declare const __dirname: string;
declare const requireOwn_: (id: string) => unknown;

const load = (): unknown => {
  const folder = cacheFolder(process.env);
  const code = ownCode(folder, v8Name());
  const exports = code.load(__dirname, 'agent', requireOwn_, 'tracing');
  agentOf(process)?.atEnd?.(code);
  return exports;
};

/** What index.ts exports. */
export const agent = load();

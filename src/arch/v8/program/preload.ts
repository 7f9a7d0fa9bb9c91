/**
 * What `node --require fentry` runs: it loads the agent with V8's code of it. Small, because it is compiled at each start.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { CacheFolder } from '../loader/cache-folder.js';
import { cacheFolder } from '../loader/cache-path.js';
import { v8Name } from '../loader/v8-name.js';
import { agentOf } from './agent-property.js';
import { OwnCode } from './own-code.js';

const AGENT = fileURLToPath(new URL('agent.cjs', import.meta.url));
const require = createRequire(AGENT);

const load = (): unknown => {
  const folder = cacheFolder(new URL('.', import.meta.url).href, process.env);
  if (folder === undefined) return require(AGENT);
  const code = new OwnCode(new CacheFolder(folder), v8Name());
  const exports = code.load(AGENT, 'agent', require);
  if (!code.isComplete) agentOf(process)?.atEnd?.(() => code.store());
  return exports;
};

/** What index.ts exports. */
export const agent = load();

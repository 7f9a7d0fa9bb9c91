/**
 * What `node --require fentry` runs: it loads the agent with V8's code of it. Small, because it is compiled at each start.
 */
import { cacheFolder } from '../loader/cache-path.js';
import { v8Name } from '../loader/v8-name.js';
import { agentOf } from './agent-property.js';
import { OwnCode } from './own-code.js';

/** Those of the bundle, which is CommonJS. */
declare const __dirname: string;
declare const requireOwn_: (id: string) => unknown;

const AGENT = './agent.cjs';
/** What the agent loads when something is traced. */
const TRACING = './tracing.cjs';
const pathOf = (bundle: string): string => `${__dirname}${bundle.slice(1)}`;

const load = (): unknown => {
  const folder = cacheFolder(process.env);
  if (folder === undefined) return requireOwn_(AGENT);
  const code = new OwnCode(folder, v8Name());
  const exports = code.load(pathOf(AGENT), 'agent', (id) =>
    id === TRACING ? code.load(pathOf(TRACING), 'tracing', requireOwn_) : requireOwn_(id),
  );
  agentOf(process)?.atEnd?.((write) => code.store(write));
  return exports;
};

/** What index.ts exports. */
export const agent = load();

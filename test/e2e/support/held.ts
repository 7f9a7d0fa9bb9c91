/** Text of a CommonJS program: `held()` says what the process holds, from its first line on. */
export const HELD = `const { readdirSync, readlinkSync } = require('node:fs');
const { Session } = require('node:inspector');
// A debugger is on as long as its session is connected.
let sessions = 0;
for (const [name, change] of [['connect', 1], ['disconnect', -1]]) {
  const native = Session.prototype[name];
  Session.prototype[name] = function (...args) {
    sessions += change;
    return native.apply(this, args);
  };
}
const fds = () => readdirSync('/proc/self/fd').flatMap((fd) => {
  try {
    return [readlinkSync('/proc/self/fd/' + fd).replace(/:\\[\\d+\\]$/, '')];
  } catch {
    return [];
  }
});
const held = () => ({
  sessions,
  handles: process._getActiveHandles().map((one) => one.constructor.name).sort(),
  resources: process.getActiveResourcesInfo().sort(),
  fds: fds().sort(),
});
`;

/** What the process holds. */
export interface Held {
  /** Inspector sessions of the thread with itself. */
  readonly sessions: number;
  readonly handles: readonly string[];
  readonly resources: readonly string[];
  readonly fds: readonly string[];
}

import { spawnSync } from 'node:child_process';

/** script(1) of util-linux runs a command on a terminal of its own. */
const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');

/** Options of a test that needs a terminal. */
export const onTerminal = { skip: hasScript ? false : 'script (util-linux) is not installed' };

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CANNOT_MOUNT } from '../../mount/mountable.js';
import { mounted } from '../../mount/mounted.js';

const read = (name: string): string =>
  readFileSync(new URL(`../../../../test/parity/livepatch/${name}`, import.meta.url), 'utf8');

/** Has the functions of the kernel that the patches replace; a call of one waits for ever, and is followed. */
const PROGRAM = `
async function __do_sys_pause() { await new Promise(() => {}); }
function cmdline_proc_show() { return 'as it was'; }
setInterval(cmdline_proc_show, 100);
__do_sys_pause();
`;
const PARAMETERS = 'livepatch_follow=__do_sys_pause';
const PATCHES: Readonly<Record<string, string>> = {
  one: 'export function cmdline_proc_show() { return "patched"; }',
  both: 'export function cmdline_proc_show() { return "patched"; }\nexport async function __do_sys_pause() {}',
};

/**
 * What may differ: the programs' words before the reason of an error, how the callback and the trampoline of a function are
 * written, and `R` at a function that nothing but a patch replaces: a site passes the arguments.
 */
const normalized = (text: string): string =>
  text
    .replace(/^(?:\S+: line \d+|cat): .*?([^:\n]+)$/gm, 'error:$1')
    .replace(/ +->arch_ftrace_ops_list_func.*$|\ttramp: \S+ \((\w+).*$/gm, (_, callback = '') => ` ${callback}`)
    .replace(/ R I/g, '   I')
    .replace(/^__do_sys_pause .* klp_follow\n/gm, '')
    .replace(/ +$/gm, '');

test('livepatch/ shows and refuses what that of the kernel does', { skip: CANNOT_MOUNT }, async (t) => {
  const { sandbox, shell } = await mounted(t, PROGRAM, PARAMETERS);
  for (const [name, source] of Object.entries(PATCHES)) sandbox.file(`${name}.mjs`, source);
  const prelude = `TRACING=..
load() { { echo "$1 ${sandbox.folder}/$1.mjs" > load; } 2>&1 | sed 's/.*: /load: /'; }
wait_in_pause() { :; }
cd livepatch
`;
  const script = sandbox.file('script.sh', prelude + read('script.sh'));
  assert.equal(normalized(await shell(`bash ${script}`)), normalized(read('golden.txt')));
});

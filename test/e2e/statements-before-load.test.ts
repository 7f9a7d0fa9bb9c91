import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const LATE = `exports.helper = helper;
function helper(x) {
  let y = x + 1;
  y++;
  return y;
}
`;

const PROGRAM = `
process.on('SIGUSR2', () => {
  const { helper } = require('./late.cjs');
  helper(1);
  setInterval(helper, 5, 1);
});
setInterval(() => {}, 1000);
`;

test('a probe in the middle of a file that is loaded later becomes the site of a statement', async (t) => {
  const sandbox = new Sandbox(t);
  const late = sandbox.file('late.cjs', LATE);
  const program = await sandbox.start(PROGRAM, { FENTRY: 'statement_sites=app' });
  const files = sandbox.client(program.pid);
  await files.write('kprobe_events', 'p:line late.cjs:5 y');
  await files.append('kprobe_events', 'p:outer late.cjs:5 exports');
  await files.append('uprobe_events', `p:offset ${late}:0x${LATE.indexOf('y++').toString(16)} y`);
  for (const event of ['kprobes/line', 'kprobes/outer', 'uprobes/offset']) await files.write(`events/${event}/enable`, '1');
  program.kill('SIGUSR2');
  const list = async (): Promise<string> => (await files.read('kprobes/list')).replaceAll(/^\w+ {2}|\+0x\w+/gm, '');
  await until(
    async () => (await list()) === 'k  helper    [OPTIMIZED]\nk  helper    \n',
    'one has become a site, and the other stays a breakpoint',
  );
  const hitsOf = async (file: string, event: string): Promise<number> =>
    Number(new RegExp(`${event} +(\\d+)`).exec(await files.read(file))?.[1]);
  const [line, outer] = [await hitsOf('kprobe_profile', 'line'), await hitsOf('kprobe_profile', 'outer')];
  assert.ok(line > 0 && Math.abs(line - outer) < 100, `${line} and ${outer} hits`);
  await files.write('events/kprobes/outer/enable', '0');
  await files.write('trace', '');
  const shown = async (): Promise<ReadonlySet<string>> =>
    new Set(
      [...(await files.read('trace')).matchAll(/(\w+): \(helper\+0x\w+\/0x\w+\)( y=\d)?/g)].map(
        ([, event, y]) => `${event}${y ?? ''}`,
      ),
    );
  await until(async () => (await shown()).size === 2, 'both are hit');
  assert.deepEqual([...(await shown())].sort(), ['line y=3', 'offset y=2']);
  assert.match(await files.read('kprobe_profile'), /line +\d+ +0\n/);
});

test('a probe where V8 turns out not to stop says so when its file is loaded', async (t) => {
  const sandbox = new Sandbox(t);
  const late = sandbox.file('late.cjs', LATE);
  const program = await sandbox.start(PROGRAM);
  const files = sandbox.client(program.pid);
  await files.write('uprobe_events', `p:nowhere ${late}:0x${(LATE.indexOf('y++') + 1).toString(16)}`);
  await files.write('events/uprobes/nowhere/enable', '1');
  program.kill('SIGUSR2');
  await until(async () => (await files.read('error_log')) !== '', 'it is refused');
  assert.match(
    await files.read('error_log'),
    /breakpoints: error: the place of a probe is no place where V8 can stop\n {2}Command: uprobes:nowhere\n/,
  );
});

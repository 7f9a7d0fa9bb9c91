// What `fentry collect` needs: CPU time and bytes a row of reading records and of each form of rows; whether --max-cpu and
// --max-size hold while several processes write more than it can read.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Collector } from '../build/src/collect/collector.js';
import { parquetBytes } from '../build/src/collect/parquet-folder.js';
import { jsonEachRow, rowBinary } from '../build/src/collect/row-binary.js';
import { CLI, ROOT } from './lib/child.mjs';
import { verdict } from './lib/verdict.mjs';

const ORDERS = Number(process.env.ORDERS ?? 200_000);
const SECONDS = Number(process.env.SECONDS ?? 20);
const WRITERS = 4;
/** Clock ticks a second, in which /proc has CPU times. */
const TICKS = 100;

const folder = mkdtempSync(join(tmpdir(), 'fentry-bench-'));
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** An order is an event with a text, and three calls. */
const SHOP = file(
  'shop.cjs',
  `
const { traceEvent, u32, string } = require(${JSON.stringify(join(ROOT, 'dist/tracepoint.cjs'))});
const fields = { id: u32((id) => id), who: string((_, who) => who) };
const placed = traceEvent('shop', 'order_placed', { args: ['id', 'who'], fields, print: '"id=%u who=%s", REC->id, __get_str(who)' });
function tax(n) { return n * 2; }
function price(n) { return tax(n) + tax(n + 1); }
let id = 0;
const timer = setInterval(() => {
  for (let i = 0; i < 500; i++) { price(id); placed(id++, 'customer ' + id % 100); }
  if (id >= Number(process.argv[2]) || require('node:fs').existsSync(process.argv[3] ?? '')) clearInterval(timer);
}, 1);
`,
);
/** Starts several that write until a file is there. */
const ALL = file(
  'all.cjs',
  `const { spawn } = require('node:child_process');
for (let i = 0; i < ${WRITERS}; i++) spawn(process.execPath, [${JSON.stringify(SHOP)}, '1e12', process.argv[2]], { stdio: 'ignore' });`,
);

/** Starts a collector of what a program does. */
function collect(to, spool, options, command) {
  const where = ['--to', join(folder, to), '--spool', join(folder, spool), '--interval', '1', '--slow', '0'];
  const wanted = ['-e', 'shop:order_placed', '-l', 'price', '-l', 'tax'];
  const args = [CLI, 'collect', ...where, ...wanted, ...options, '--', process.execPath, ...command];
  return spawn(process.execPath, args, { stdio: 'ignore' });
}
const ended = (child) => new Promise((done) => child.once('exit', done));

/** CPU time and bytes a row, of one form after the other. */
async function forms() {
  // A file is no folder: all that is recorded waits.
  file('refused', '');
  await ended(collect('refused', 'spool', [], [SHOP, String(ORDERS)]));
  const [run] = readdirSync(join(folder, 'spool'));
  cpSync(join(folder, 'spool', run), join(folder, 'read'), { recursive: true });
  const sums = { rows: 0 };
  const take = (name, work) => {
    const before = process.cpuUsage();
    const { length } = work();
    const { user, system } = process.cpuUsage(before);
    sums[name] ??= { cpu: 0, bytes: 0 };
    sums[name].cpu += user + system;
    sums[name].bytes += length;
  };
  const store = async ({ id, groups }) => {
    for (const group of groups) {
      sums.rows += group.rows.length;
      take('Parquet', () => parquetBytes(group.rows));
      take('RowBinary', () => rowBinary(group, id));
      take('JSONEachRow', () => Buffer.from(jsonEachRow(group, id)));
    }
  };
  const collector = new Collector({ folder: join(folder, 'read'), service: 'shop', release: 'r1' }, { name: '', store }, 'run');
  const before = process.cpuUsage();
  while ((await collector.step()) > 0 && !collector.isOver);
  const { user, system } = process.cpuUsage(before);
  const { rows, ...made } = sums;
  let reading = user + system;
  for (const { cpu } of Object.values(made)) reading -= cpu;
  const detail = `${rows} rows`;
  verdict({ name: 'collect: reading records', ratio: reading / rows, unit: 'us', detail: `CPU time a row, ${detail}` });
  for (const [name, { cpu, bytes }] of Object.entries(made)) {
    verdict({ name: `collect: ${name}`, ratio: cpu / rows, unit: 'us', detail: `CPU time a row, ${detail}` });
    verdict({ name: `collect: ${name}`, ratio: bytes / rows, unit: 'B', detail: `bytes a row, ${detail}` });
  }
}

/** User and system time of a process, in seconds. */
const cpuOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};
const sizeOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    const stat = entry.isFile()
      ? statSync(join(entry.parentPath ?? entry.path, entry.name), { throwIfNoEntry: false })
      : undefined;
    return sum + (stat?.size ?? 0);
  }, 0);

/** The part of a core that a collector uses, and the most that waits for it, while processes write without a pause. */
async function bounds(percent, megabytes) {
  const spool = `spool-${percent}`;
  const stop = join(folder, `stop-${percent}`);
  const child = collect(`fleet-${percent}`, spool, ['--max-cpu', String(percent), '--max-size', `${megabytes}m`], [ALL, stop]);
  const end = ended(child);
  while (!existsSync(join(folder, `fleet-${percent}`))) await sleep(100);
  const [cpu, start] = [cpuOf(child.pid), performance.now()];
  let most = 0;
  while (performance.now() - start < SECONDS * 1000) {
    await sleep(100);
    most = Math.max(most, sizeOf(join(folder, spool)));
  }
  const used = (cpuOf(child.pid) - cpu) / ((performance.now() - start) / 1000);
  writeFileSync(stop, '');
  await end;
  const detail = `${WRITERS} processes write for ${SECONDS} s`;
  verdict({ name: `collect --max-cpu ${percent}`, ratio: used * 100, unit: '%', target: `at most ${percent} %`, detail });
  verdict({
    name: `collect --max-size ${megabytes}m`,
    ratio: most / 2 ** 20,
    unit: 'MB',
    target: `at most ${megabytes} MB`,
    detail: `most that waited, ${detail}`,
  });
}

try {
  await forms();
  await bounds(10, 16);
  await bounds(50, 64);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

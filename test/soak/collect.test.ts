import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { Sandbox } from '../e2e/support/program.js';
import { type AskDuckDb, duckDb } from '../support/duck-db.js';

/** How many processes are busy, and for how long. */
const PROCESSES = Number(process.env['SOAK_COLLECTED'] ?? 3);
const SECONDS = Number(process.env['SOAK_COLLECTED_SECONDS'] ?? 3);

/** Tells of jobs in bursts that are larger than its buffer, and says in a file how many. */
const BUSY = `
const { traceEvent, u32 } = require(${JSON.stringify(resolve('dist/tracepoint.cjs'))});
const { writeFileSync } = require('node:fs');
const done = traceEvent('jobs', 'done', { args: ['id'], fields: { id: u32((id) => id) }, print: '"id=%u", REC->id' });
let id = 0;
const end = Date.now() + Number(process.argv[2]) * 1000;
const timer = setInterval(() => {
  for (let i = Math.random() < 0.05 ? 5000 : 50; i > 0; i--) done(id++);
  if (Date.now() < end) return;
  clearInterval(timer);
  writeFileSync('counted.' + process.pid, String(id));
}, 5);
`;

const ALL = `
const { spawn } = require('node:child_process');
for (let i = 0; i < Number(process.argv[2]); i++) spawn(process.execPath, ['busy.cjs', process.argv[3]], { stdio: 'inherit' });
`;

/** What a column of a table adds up to, by processes; 0 if there is no such table. */
async function sums(ask: AskDuckDb, folder: string, table: string, sum: string): Promise<ReadonlyMap<number, number>> {
  if (!existsSync(join(folder, table))) return new Map();
  const rows = await ask(`SELECT pid, ${sum} AS sum FROM read_parquet('${folder}/${table}/**/*.parquet') GROUP BY pid`);
  return new Map(rows.map((row) => [Number(row['pid']), Number(row['sum'])]));
}

test(`rows of ${PROCESSES} busy processes are what they counted, less what is said to be lost`, async (t) => {
  const ask = await duckDb(t);
  if (ask === undefined) return;
  const sandbox = new Sandbox(t);
  sandbox.file('busy.cjs', BUSY);
  const all = sandbox.file('all.cjs', ALL);
  const where = ['--to', 'fleet', '--spool', 'spool', '--interval', '1', '--max-cpu', '100', '--slow', '0', '-b', '64'];
  const command = [process.execPath, all, String(PROCESSES), String(SECONDS)];
  const child = sandbox.spawnFentry('collect', ...where, '-e', 'jobs:done', '--', ...command);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  assert.equal(await new Promise((done) => child.once('exit', done)), 0, stderr);
  t.diagnostic(stderr.trim());
  const fleet = join(sandbox.folder, 'fleet');
  const events = await sums(ask, fleet, 'events', 'count(*)');
  const lost = await sums(ask, fleet, 'lost', 'sum(events)');
  assert.ok(
    [...lost.values()].some((count) => count > 0),
    'some bursts are larger than the buffers',
  );
  const counted = readdirSync(sandbox.folder).filter((name) => name.startsWith('counted.'));
  assert.equal(counted.length, PROCESSES, stderr);
  for (const name of counted) {
    const pid = Number(name.slice('counted.'.length));
    const [rows, gone] = [events.get(pid) ?? 0, lost.get(pid) ?? 0];
    assert.equal(rows + gone, Number(readFileSync(join(sandbox.folder, name), 'utf8')), `${rows} rows, ${gone} lost; ${stderr}`);
  }
  assert.deepEqual(readdirSync(join(sandbox.folder, 'spool')), [], stderr);
});

import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { duckDb } from '../support/duck-db.js';
import { Sandbox } from './support/program.js';

/** A server that asks itself, and blocks its event loop until a turn of it has been stored. */
const SERVER = `
const { existsSync } = require('node:fs');
const http = require('node:http');
const patience = Date.now() + 60_000;
function tax(x) { let sum = x; for (let i = 0; i < 1000; i++) sum = (sum * 31 + i) | 0; return sum; }
function block() { const end = Date.now() + 400; while (Date.now() < end) tax(1); }
const server = http.createServer((request, response) => {
  response.end(String(tax(1)));
});
server.listen(0, '127.0.0.1', async () => {
  for (let i = 0; i < 40; i++) await (await fetch(\`http://127.0.0.1:\${server.address().port}/items/\${i}?x=\${i}\`)).text();
  const blocking = setInterval(() => {
    block();
    if (!existsSync(process.argv[2]) && Date.now() < patience) return;
    clearInterval(blocking);
    server.close();
    server.closeAllConnections();
  }, 100);
});
`;

/** The queries of the page, by the line before each. */
const queries = (): ReadonlyMap<string, string> =>
  new Map(
    Array.from(readFileSync('docs/fleet.md', 'utf8').matchAll(/\n([^\n]+):\n\n```sql\n(.*?)```/gs), ([, title, sql]) => [
      title!,
      sql!,
    ]),
  );

test('the queries of docs/fleet.md answer in DuckDB', async (t) => {
  const run = await duckDb(t);
  if (run === undefined) return;
  const sandbox = new Sandbox(t);
  const server = sandbox.file('server.cjs', SERVER);
  const where = ['--to', 'fleet', '--spool', 'spool', '--service', 'shop', '--release', 'r1', '--interval', '1'];
  const command = [process.execPath, server, 'fleet/turns'];
  const { code, stderr } = await sandbox.fentry('collect', ...where, '-e', 'http', '-l', 'tax', '--', ...command);
  assert.equal(code, 0, stderr);

  // Yesterday has the same calls: the day is in the name of the folder.
  const fleet = join(sandbox.folder, 'fleet');
  const [today] = readdirSync(join(fleet, 'calls'));
  const yesterday = new Date(new Date(today!.slice('date='.length)).getTime() - 86_400e3).toISOString().slice(0, 10);
  cpSync(join(fleet, 'calls', today!), join(fleet, 'calls', `date=${yesterday}`), { recursive: true });

  const ask = async (title: string): Promise<Record<string, unknown>[]> => {
    const sql = queries().get(title);
    assert.ok(sql !== undefined, title);
    return run(sql.replaceAll("read_parquet('", `read_parquet('${fleet}/`));
  };
  const [slowest] = await ask('The slowest functions of each release');
  assert.deepEqual([slowest!['release'], slowest!['function'], slowest!['file']], ['r1', 'tax', server]);
  const [route, ...others] = await ask('Response times by route and host');
  assert.deepEqual([route!['route'], Number(route!['requests']), others], ['/items/:n', 40, []]);
  const [turn] = await ask('Whose event loop blocks, and where');
  assert.equal(turn!['service'], 'shop');
  assert.ok(Number(turn!['worst_ms']) > 100);
  assert.deepEqual(await ask('What changed since yesterday'), [], 'both days are the same');
  await assert.rejects(ask('What was lost'), /No files found/);
});

// Traces programs of Debian's packages, and SQLite in a Node process, while they work, as a user would: attached to and detached
// from under load, all functions in `function` and `function_graph`, filters, depths. What the programs answer is compared with
// what is right. `npm run build && node scripts/real-programs.mjs [NAME...]` prints a table, and without names writes it into
// docs/native.md. Exits 1 when something is wrong.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands } from './real-programs/commands.mjs';
import { nginx } from './real-programs/nginx.mjs';
import { python } from './real-programs/python.mjs';
import { redis } from './real-programs/redis.mjs';
import { sqlite } from './real-programs/sqlite.mjs';
import { missing } from './real-programs/tracing.mjs';

const PAGE = fileURLToPath(new URL('../docs/native.md', import.meta.url));
const PROGRAMS = [python, redis, nginx, sqlite, ...commands];
const HEAD = [
  '| program | functions traced at once | without a site | calls and returns | result |',
  '| --- | --- | --- | --- | --- |',
];

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !PROGRAMS.some((one) => one.name === name));
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}; there are ${PROGRAMS.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const rows = [];
for (const { name, packages, needs, examine } of PROGRAMS.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
  const lacking = missing(...needs);
  if (lacking !== undefined) {
    console.error(`${name}: there is no ${lacking}: install ${packages.join(' ')}`);
    process.exitCode = 1;
    continue;
  }
  const folder = mkdtempSync(join(tmpdir(), 'fentry-real-'));
  try {
    const { functions, without, events, result } = await examine(folder);
    const share = ((100 * without) / (functions + without)).toFixed(2);
    const count = (value) => value.toLocaleString('en');
    rows.push(`| ${name} | ${count(functions)} | ${count(without)} (${share} %) | ${count(events)} | ${result} |`);
    console.log(rows.at(-1));
  } catch (error) {
    console.error(`${name}: ${error.stderr || error.stack}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (chosen.length === 0 && !process.exitCode) {
  const page = readFileSync(PAGE, 'utf8');
  const begin = page.indexOf(HEAD[0]);
  const end = page.indexOf('\n\n', begin);
  writeFileSync(PAGE, `${page.slice(0, begin)}${[...HEAD, ...rows].join('\n')}${page.slice(end)}`);
}

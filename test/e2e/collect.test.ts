import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { CLI, finished, Sandbox, until } from './support/program.js';

const TRACEPOINT = JSON.stringify(resolve('dist/tracepoint.cjs'));

/** Places orders with consecutive numbers, and says in a file at its end how many; `price` is called twice for each. */
const SHOP = `
const { traceEvent, u32 } = require(${TRACEPOINT});
const { writeFileSync, existsSync } = require('node:fs');
const placed = traceEvent('shop', 'order_placed', { args: ['id'], fields: { id: u32((id) => id) }, print: '"id=%u", REC->id' });
function price(id) { return id * 3; }
const [name, batches] = process.argv.slice(2);
let id = 0;
const timer = setInterval(() => {
  for (let i = 0; i < 20; i++) { price(id); price(id); placed(id++); }
  if (id === 20 * Number(batches) || existsSync('stop')) {
    clearInterval(timer);
    writeFileSync('counted.' + name, String(id));
  }
}, 3);
`;

interface Stored {
  readonly time: Date;
  readonly pid: bigint;
  readonly program: string;
  readonly release: string;
  readonly event: string;
  readonly fields: string;
  readonly function: string;
  readonly file: string;
  readonly line: bigint;
  readonly events: bigint | null;
}

/** All rows of a table, from each of its files: none may be damaged. */
async function rowsOf(folder: string, table: string): Promise<readonly Stored[]> {
  if (!existsSync(join(folder, table))) return [];
  const names = readdirSync(join(folder, table), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.parquet'),
  );
  const rows = await Promise.all(
    names.map(async (name) => parquetReadObjects({ file: await asyncBufferFromFile(join(folder, table, name)) })),
  );
  return rows.flat() as unknown as readonly Stored[];
}

/** The numbers of the orders of a process in the rows, sorted. */
const ordersOf = (rows: readonly Stored[], pid?: number): readonly number[] =>
  rows
    .filter((row) => row.event === 'order_placed' && (pid === undefined || Number(row.pid) === pid))
    .map(({ fields }) => JSON.parse(fields).id as number)
    .sort((a, b) => a - b);

const numbersTo = (end: number): readonly number[] => Array.from({ length: end }, (_, i) => i);

test('what the processes of a command do becomes rows in a folder of Parquet', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('shop.cjs', SHOP);
  const before = Date.now();
  const wanted = ['--service', 'shop/eu', '--release', '1.2.3', '-e', 'shop:order_placed', '-l', 'price'];
  // A turn that a busy machine makes slow is a row, too.
  const where = ['--to', 'fleet', '--spool', 'spool', '--slow', '0'];
  const { code, stderr } = await sandbox.fentry('collect', ...where, ...wanted, '--', process.execPath, program, 'a', '30');
  assert.equal(code, 0, stderr);
  assert.match(stderr, /1,800 rows stored, 0 records lost/);

  const fleet = join(sandbox.folder, 'fleet');
  const events = await rowsOf(fleet, 'events');
  assert.deepEqual(ordersOf(events), numbersTo(600));
  const [first] = events;
  assert.deepEqual([first!.program, first!.release], ['shop.cjs', '1.2.3']);
  for (const { time } of events) assert.ok(time.getTime() > before - 1000 && time.getTime() < Date.now() + 1000, String(time));

  const calls = await rowsOf(fleet, 'calls');
  assert.equal(calls.length, 1200);
  assert.deepEqual([calls[0]!.function, calls[0]!.file, Number(calls[0]!.line)], ['price', program, 5]);

  const [date, service] = readdirSync(join(fleet, 'events'), { recursive: true, encoding: 'utf8' }).sort();
  assert.match(date!, /^date=\d{4}-\d\d-\d\d$/);
  assert.equal(service, join(date!, 'service=shop%2Feu'));
  assert.deepEqual(readdirSync(join(sandbox.folder, 'spool')), [], 'nothing waits');
});

test('all processes are collected, later ones too, and are left as they were', async (t) => {
  const sandbox = new Sandbox(t);
  const { pid } = await sandbox.start(SHOP.replace('process.argv.slice(2)', "['a', '1e6']"));
  const collecting = sandbox.spawnFentry(
    ...['collect', '--to', 'fleet', '--spool', 'spool', '--all', '-e', 'shop:order_placed', '--interval', '1'],
  );
  const end = finished(collecting);
  const fleet = join(sandbox.folder, 'fleet');
  await until(async () => ordersOf(await rowsOf(fleet, 'events'), pid).length > 0, 'rows of the first process come');
  const later = await sandbox.start(SHOP.replace('process.argv.slice(2)', "['b', '1e6']"), {}, 'later.cjs');
  await until(async () => ordersOf(await rowsOf(fleet, 'events'), later.pid).length > 0, 'rows of the second process come');
  collecting.kill('SIGINT');
  const { code, stderr } = await end;
  assert.equal(code, 0, stderr);
  const events = await rowsOf(fleet, 'events');
  for (const one of [pid, later.pid]) {
    const orders = ordersOf(events, one);
    assert.deepEqual(
      orders.filter((id, i) => i > 0 && id !== orders[i - 1]! + 1),
      [],
      'without a gap, and none twice',
    );
    assert.equal(await sandbox.client(one).read('set_event'), '');
  }
  assert.deepEqual([...new Set(events.map(({ program }) => program))].sort(), ['later.cjs', 'program.cjs']);
});

test('a collector that is killed leaves no damaged file and no row twice, and loses none', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('shop.cjs', SHOP);
  const where = ['collect', '--to', 'fleet', '--spool', 'spool', '--interval', '1', '--slow', '0'];
  const kills = Number(process.env['SOAK_COLLECTORS'] ?? 4);
  const first = sandbox.spawnFentry(
    ...where,
    '-e',
    'shop:order_placed',
    '--',
    process.execPath,
    program,
    'a',
    String(kills * 3000),
  );
  t.after(() => existsSync(sandbox.folder) && sandbox.file('stop', ''));
  const fleet = join(sandbox.folder, 'fleet');
  await until(() => existsSync(fleet), 'the first rows are stored');
  let collector = first;
  for (let kill = 0; kill < kills; kill++) {
    await new Promise((done) => setTimeout(done, Math.random() * 1500));
    collector.kill('SIGKILL');
    await new Promise((done) => collector.once('exit', done));
    // With no command it stores what waits, until the processes that record have ended.
    collector = sandbox.spawnFentry(...where);
  }
  const last = finished(collector);
  sandbox.file('stop', '');
  const { code, stderr } = await last;
  assert.equal(code, 0, stderr);
  assert.deepEqual(readdirSync(join(sandbox.folder, 'spool')), [], stderr);
  const counted = join(sandbox.folder, 'counted.a');
  assert.deepEqual(ordersOf(await rowsOf(fleet, 'events')), numbersTo(Number(readFileSync(counted, 'utf8'))));
  assert.deepEqual(await rowsOf(fleet, 'lost'), []);
});

test('a target that takes nothing costs the program nothing, and its rows wait', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('shop.cjs', SHOP);
  sandbox.file('fleet', 'a file is no folder');
  const where = ['collect', '--to', 'fleet', '--spool', 'spool', '--interval', '1'];
  const { code, stderr } = await sandbox.fentry(
    ...[...where, '-e', 'shop:order_placed', '--', process.execPath, program, 'a', '20'],
  );
  assert.equal(code, 0, stderr);
  assert.match(stderr, /the folder .*fleet does not take rows, which wait meanwhile: ENOTDIR|EEXIST/);
  assert.match(stderr, /the target has not taken all rows: the next fentry collect with this target goes on/);
  rmSync(join(sandbox.folder, 'fleet'));
  const next = await sandbox.fentry(...where);
  assert.match(next.stderr, /400 rows stored, 0 records lost/);
  assert.deepEqual(ordersOf(await rowsOf(join(sandbox.folder, 'fleet'), 'events')), numbersTo(400));
});

test('a target whose disk is full takes the rest when it has room, and no row twice', {
  skip: spawnSync('unshare', ['-rm', 'true']).status === 0 ? false : 'no mount namespace may be made here, and so no small disk',
}, async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('shop.cjs', SHOP.replace('i < 20', 'i < 200').replace('20 * Number', '200 * Number'));
  const collecting = '"$node" "$fentry" collect --to fleet --spool spool --interval 1 --slow 0';
  const script = `
    mkdir fleet && mount -t tmpfs -o size=256k none fleet || exit 9
    ${collecting} -e shop:order_placed -- "$node" shop.cjs a 400 || exit 8
    mount -o remount,size=64m fleet || exit 7
    ${collecting} || exit 6
    cp -r fleet stored`;
  const ran = spawnSync('unshare', ['-rm', 'sh', '-c', script], {
    cwd: sandbox.folder,
    env: { ...sandbox.env(), node: process.execPath, fentry: CLI },
    encoding: 'utf8',
    timeout: 80_000,
  });
  assert.equal(ran.status, 0, ran.stderr);
  assert.match(ran.stderr, /the folder .*fleet does not take rows, which wait meanwhile: ENOSPC/);
  assert.match(ran.stderr, /the target has not taken all rows/);
  assert.deepEqual(ordersOf(await rowsOf(join(sandbox.folder, 'stored'), 'events')), numbersTo(80_000));
  assert.deepEqual(await rowsOf(join(sandbox.folder, 'stored'), 'lost'), []);
});

test('more than its space is lost, and said to be', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('shop.cjs', SHOP);
  sandbox.file('fleet', 'a file is no folder');
  const where = ['collect', '--to', 'fleet', '--spool', 'spool', '--interval', '1', '--max-size', '128k'];
  const { code, stderr } = await sandbox.fentry(
    ...[...where, '-e', 'shop:order_placed', '--', process.execPath, program, 'a', '1000'],
  );
  assert.equal(code, 0, stderr);
  rmSync(join(sandbox.folder, 'fleet'));
  await sandbox.fentry(...where);
  const fleet = join(sandbox.folder, 'fleet');
  const orders = ordersOf(await rowsOf(fleet, 'events'));
  const lost = (await rowsOf(fleet, 'lost')).reduce((sum, { events }) => sum + Number(events ?? 0), 0);
  assert.ok(lost > 0);
  assert.equal(orders.length + lost, 20_000);
  assert.equal(orders.at(-1), 19_999, 'the newest are kept');
});

test('a process that its command leaves behind does not keep the collector, and the next one goes on', async (t) => {
  const sandbox = new Sandbox(t);
  // It writes faster than it is read.
  const program = sandbox.file('shop.cjs', SHOP.replace('i < 20', 'i < 2000').replace('20 * Number', '2000 * Number'));
  t.after(() => existsSync(sandbox.folder) && sandbox.file('stop', ''));
  const leaver = sandbox.file(
    'leaver.cjs',
    `const child = require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}, 'a', '1e6'], { stdio: 'ignore' });
     child.unref();
     setTimeout(() => process.exit(), 1500);`,
  );
  const where = ['collect', '--to', 'fleet', '--spool', 'spool', '--interval', '1', '--slow', '0', '--max-size', '4m'];
  const { code, stderr } = await sandbox.fentry(...where, '-e', 'shop:order_placed', '--', process.execPath, leaver);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /processes go on recording: the next fentry collect with this target goes on/);
  sandbox.file('stop', '');
  const next = await sandbox.fentry(...where);
  assert.equal(next.code, 0, next.stderr);
  const fleet = join(sandbox.folder, 'fleet');
  const lost = (await rowsOf(fleet, 'lost')).reduce((sum, { events }) => sum + Number(events ?? 0), 0);
  const counted = Number(readFileSync(join(sandbox.folder, 'counted.a'), 'utf8'));
  assert.equal((await rowsOf(fleet, 'events')).length + lost, counted, next.stderr);
});

test('what cannot be collected is refused with what would be right', async (t) => {
  const sandbox = new Sandbox(t);
  const CASES: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['--', 'node'], /name where the rows go: --to DIR/],
    [['--to', 'ftp://x', '--', 'node'], /--to ftp:\/\/x is not known: DIR, otlp\+http:\/\/HOST:4318, clickhouse/],
    [['--to', 'otlp+http://:x', '--', 'node'], /is no URL, such as otlp\+http:\/\/HOST:4318/],
    [['--to', 'x', '--all', '--', 'node'], /--all collects what runs: leave out the command/],
    [['--to', 'x', '--slow', '3', '--', 'node'], /--slow must be at least 10, or 0 for none/],
    [['--to', 'x', '-C', 'local', '--', 'node'], /-C has no meaning here/],
  ];
  for (const [args, message] of CASES) {
    const refused = await sandbox.fentry('collect', ...args);
    assert.equal(refused.code, 2, refused.stderr);
    assert.match(refused.stderr, message);
  }
});

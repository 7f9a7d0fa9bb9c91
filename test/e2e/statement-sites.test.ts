import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Sandbox, until } from './support/program.js';

/** Functions of one parameter, `a`, with statements of many shapes. */
const FUNCTIONS = [
  `function plain(a) {
  let b = a + 1, c;
  c = b * 2
  if (c > 3) a = c; else b = a
  return a ? a + b : c;
}`,
  `function loops(a) {
  for (let i = 0; i < a; i++) a += i & 1;
  for (const k in { x: 1, y: 2 }) { if (k === 'x') continue; a += k.length; }
  for (const v of [1, 2]) { a -= v; if (a < 0) break; }
  while (a > 5) a--;
  do { a++; } while (a < 4)
  return a;
}`,
  `function choices(a) {
  switch (a % 3) {
    case 0: let b = 1; a += b;
    case 1: a += 2; break;
    default: { a -= 1; }
  }
  try { if (a > 2) throw new RangeError('x'); a *= 2; } catch ({ name }) { a = name.length; } finally { a++; }
  return a;
}`,
  `async function waits(a) {
  const b = await a;
  for await (const c of [Promise.resolve(b)]) a += c;
  return a;
}`,
  `function* turns(a) {
  for (let i = 0; i < 2; i++) yield a + i;
  const list = [1].map((x) => { const y = x + a; return y; });
  return list;
}`,
];
const NAMES = ['plain', 'loops', 'choices', 'waits', 'turns'];
const PROGRAM = `${FUNCTIONS.join('\n')}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
process.on('SIGUSR2', async () => {
  for (const a of [1, 2, 3]) { plain(a); loops(a); choices(a); await waits(a); [...turns(a)]; await pause(300); }
  process.stdout.write('done');
});
setInterval(() => {}, 1000);
process.stdout.write('ready');
`;

interface Recorded {
  /** What kprobes/list says of each place. */
  readonly ways: readonly string[];
  readonly records: readonly string[];
}

/** The nearest place behind an offset that is none, as a refusal names it. */
function behind(refused: string, offset: number): number | undefined {
  const places = [...refused.matchAll(/\+(0x[0-9a-f]+) \(line/g)].map(([, place]) => Number(place));
  return places.find((place) => place > offset);
}

/** What probes at all places of the functions record in one run of them. */
async function recorded(t: TestContext, parameters: string): Promise<Recorded> {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM, { FENTRY: parameters });
  let printed = '';
  program.stdout!.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await until(() => printed.includes('ready'), 'it is ready');
  const client = sandbox.client(program.pid);
  for (const name of NAMES) {
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const line: string = `p:${name}_${offset} ${name}+${offset} a`;
      const refused: string | undefined = await client.append('kprobe_events', line).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (refused !== undefined) assert.match(refused, /not an instruction boundary/);
      offset = refused === undefined ? offset + 1 : behind(refused, offset);
    }
  }
  await client.write('events/kprobes/enable', '1');
  program.kill('SIGUSR2');
  await until(() => printed.includes('done'), 'it has run');
  const records = (await client.read('trace')).match(/(?<=: )\w+: \(.*/g) ?? [];
  const ways = (await client.read('kprobes/list')).split('\n').slice(0, -1);
  await client.write('events/kprobes/enable', '0');
  return { ways: ways.map((line) => line.replace(/^\S+ +k +/, '')), records };
}

test('probes at the sites of statements record what breakpoints at the same places do, in the same order', async (t) => {
  const sites = await recorded(t, 'statement_sites=app');
  const breakpoints = await recorded(t, 'instrument=app');
  assert.ok(breakpoints.records.length > 150, `${breakpoints.records.length} records`);
  assert.deepEqual(sites.records, breakpoints.records);
  const at = (flag: string, { ways }: Recorded): number => ways.filter((line) => line.endsWith(flag)).length;
  assert.equal(at('[OPTIMIZED]', breakpoints), 0);
  assert.ok(at('[OPTIMIZED]', sites) > 30, sites.ways.join('\n'));
  assert.ok(at('  ', sites) > 5, 'the tests of loops are breakpoints');
});

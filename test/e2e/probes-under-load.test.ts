import assert from 'node:assert/strict';
import { Agent, get } from 'node:http';
import { test } from 'node:test';
import { HELD } from './support/held.js';
import { Sandbox, until } from './support/program.js';

const COUNT = 1000;
/** Functions that one request calls. */
const EACH = 10;
const PATHS = COUNT / EACH;

/** Answers `/N` with what ten of a thousand functions make of N, and `/held` with what the process holds. */
const PROGRAM = `
${HELD}
let total = 0;
${Array.from({ length: COUNT }, (_, i) => `function f${i}(a) {\n  let b = a + 1;\n  b += ${i};\n  return b;\n}`).join('\n')}
const functions = [${Array.from({ length: COUNT }, (_, i) => `f${i}`).join()}];
// As long as probes are set, the program may be busy: a connection must not end because it was idle meanwhile.
require('node:http').createServer({ keepAliveTimeout: 0 }, (request, response) => {
  if (request.url === '/held') return response.end(JSON.stringify(held()));
  const n = Number(request.url.slice(1));
  let sum = 0;
  for (let i = 0; i < ${EACH}; i++) sum += functions[n * ${EACH} + i](n);
  total++;
  response.end(String(sum));
}).listen(0, function () { console.log(this.address().port); });
`;

/** What the program answers to `/N`. */
const expected = (n: number): string => {
  let sum = 0;
  for (let i = 0; i < EACH; i++) sum += n + 1 + n * EACH + i;
  return String(sum);
};

/** In the middle of functions fewer: V8 takes tens of milliseconds to say where each can stand. */
const IN_THE_MIDDLE = 20;

const names = (letter: string, count: number): readonly string[] => Array.from({ length: count }, (_, i) => `${letter}${i}`);
const numberOf = (name: string): string => name.slice(1);

/** Probes of each way, with what kprobes/list says of them. */
const WAYS = [
  { way: 'entry', probes: names('e', COUNT), place: (i: string) => `f${i} a`, flags: '[FTRACE]', isSite: true },
  { way: 'statement', probes: names('s', IN_THE_MIDDLE), place: (i: string) => `f${i}:2 b`, flags: '[OPTIMIZED]', isSite: true },
  {
    way: 'breakpoint',
    probes: names('b', IN_THE_MIDDLE),
    place: (i: string) => `f${i}:2 b total=@total`,
    flags: '',
    isSite: false,
  },
] as const;

test('probes of each way while a server answers, a thousand at entries: no request fails, each hit has its record, and all is as before', async (t) => {
  const sandbox = new Sandbox(t);
  const program = await sandbox.start(PROGRAM, { FENTRY: 'statement_sites=app' });
  const client = sandbox.client(program.pid);
  let printed = '';
  program.stdout!.on('data', (text) => {
    printed += text;
  });
  await until(() => printed.endsWith('\n'), 'it listens');
  const agent = new Agent({ keepAlive: true });
  const ask = (path: string): Promise<string> =>
    new Promise((resolve, reject) => {
      get({ port: Number(printed), path, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve(text));
      }).on('error', reject);
    });

  const lines = async (file: string): Promise<readonly string[]> => (await client.read(file)).split('\n').slice(0, -1);
  // Before the first command: the socket by which one comes closes a little later.
  const before = await ask('/held');
  await client.write('buffer_size_kb', '16384');

  let answered = 0;
  const wrong: string[] = [];
  let isOver = false;
  const load = (async () => {
    for (let n = 0; !isOver; n = (n + 1) % PATHS) {
      const answer = await ask(`/${n}`).catch(String);
      if (answer === expected(n)) answered++;
      else wrong.push(`/${n}: ${answer}`);
    }
  })();
  // It ends with the test, however that ends.
  t.after(() => {
    isOver = true;
  });
  await until(() => answered >= PATHS, 'it answers');

  for (const { way, probes, place, flags, isSite } of WAYS) {
    await client.write('kprobe_events', probes.map((name) => `p:load/${name} ${place(numberOf(name))}`).join('\n'));
    const listed = await lines('kprobes/list');
    assert.equal(listed.filter((line) => line.endsWith(`    [DISABLED]${flags}`)).length, probes.length, way);
    await client.write('events/load/enable', '1');
    const counts = async (): Promise<readonly (readonly [name: string, hits: number, misses: number])[]> =>
      (await lines('kprobe_profile')).map((line) => {
        const [name, hits, misses] = line.trim().split(/ +/);
        return [name!, Number(hits), Number(misses)];
      });
    await until(async () => (await counts()).every(([, hits, misses]) => hits + misses > 0), 'all have been hit');
    await client.write('events/load/enable', '0');
    const records = new Map<string, number>();
    for (const [, name = ''] of (await client.read('trace')).matchAll(/: (\w+): \(f\d+\+0x/g))
      records.set(name, (records.get(name) ?? 0) + 1);
    for (const [name, hits, misses] of await counts()) {
      assert.equal(records.get(name), hits, `${way} ${name}`);
      if (isSite) assert.equal(misses, 0, `${way} ${name}`);
    }
    await client.write('kprobe_events', '');
    await client.write('trace', '');
  }
  isOver = true;
  await load;
  assert.deepEqual(wrong, []);
  await until(async () => (await ask('/held')) === before, 'it holds what it held before');
  agent.destroy();
});

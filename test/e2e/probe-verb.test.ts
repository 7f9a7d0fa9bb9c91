import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Sandbox, until } from './support/program.js';

const PROGRAM = `let sold = 0;
const rates = { a: 2 };
function sum(list) {
  let total = 0;
  for (const one of list) {
    total += one * rates.a;
  }

  // the sum
  return total;
}
function twice() {}
const other = { twice() { return sold; } };
setInterval(() => {
  sold++;
  sum([1, 2]);
  other.twice();
  twice();
}, 5);
`;

async function start(t: TestContext, source = PROGRAM, name = 'program.cjs') {
  const sandbox = new Sandbox(t);
  await sandbox.start(source, {}, name);
  /** What a command prints, its complaints too. */
  const fentry = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await sandbox.fentry(...args);
    return `${stdout}${stderr}`.replaceAll(sandbox.folder, '/app');
  };
  return { fentry, probe: (...args: readonly string[]) => fentry('probe', ...args) };
}

test('-L numbers the lines on which a probe can stand', async (t) => {
  const { probe } = await start(t);
  assert.equal(
    await probe('-L', 'sum'),
    `<sum@/app/program.cjs:0>
      0  function sum(list) {
      1    let total = 0;
      2    for (const one of list) {
      3      total += one * rates.a;
           }
         
           // the sum
      7    return total;
         }
`,
  );
  assert.equal(await probe('-L', 'sum:6+2'), `<sum@/app/program.cjs:6>\n           // the sum\n      7    return total;\n`);
  assert.equal(
    await probe('-L', 'program.cjs:1-2'),
    `</app/program.cjs:1>\n      1  let sold = 0;\n      2  const rates = { a: 2 };\n`,
  );
  assert.match(await probe('-L', 'sum:99'), /the source has no such line \(ENOENT\)/);
  assert.match(await probe('-L', 'nothing'), /no function and no loaded source is nothing/);
});

test('each line that -L numbers takes a probe, and no other one', async (t) => {
  const { probe } = await start(t);
  const lines = (await probe('-L', 'sum')).split('\n').slice(1, -1);
  for (const [i, line] of lines.entries()) {
    const isNumbered = /^ +\d+ {2}/.test(line);
    const answer = await probe('-q', '-a', `l${i}=sum:${i}`);
    assert.equal(answer === '', isNumbered, `${line}: ${answer}`);
  }
});

test('-V shows the variables of a place; each of them can be read there', async (t) => {
  const { probe, fentry } = await start(t);
  assert.equal(
    await probe('-V', 'sum:3', '--externs'),
    `Available variables at sum:3
\t@<sum+70>
\t\treceiver\tthis
\t\tparameter\tlist
\t\tconst\tone
\t\tlet\ttotal
\t\tmodule let\tsold
\t\tmodule const\trates
\t\tmodule function\tsum
\t\tmodule function\ttwice
\t\tmodule const\tother
`,
  );
  await probe('x=sum:3 $vars sold=@sold rates=@rates f=@twice');
  assert.equal(await fentry('append', 'events/probe/enable', '1'), '');
  const heard = async (): Promise<string | undefined> => / x: .*$/m.exec(await fentry('cat', 'trace'))?.[0];
  await until(async () => (await heard()) !== undefined, 'the probe is heard');
  assert.match((await heard())!, /list=\[1, 2\] one=1 total=0 sold=\d+ rates=\{a: 2\} f=\[function twice\]$/);
});

test('-a adds, -l lists, -d removes', async (t) => {
  const { probe, fentry } = await start(t);
  assert.match(
    await probe('-a', 'sum list', '-a', 'shop:ends=sum%return $retval'),
    /^Added new events:\n {2}probe:sum {12}\(on sum with list\)\n {2}shop:ends {12}\(on sum%return with arg1=\$retval\)\n\nIt is used .*\n\n\tfentry record --pid \d+ -e shop:ends sleep 1\n\n$/s,
  );
  assert.match(await probe('sum'), /there is an event probe:sum; .* \(EEXIST\)/);
  assert.match(await probe('-f', 'sum'), /probe:sum_1 /);
  assert.equal(await probe('-n', 'program.cjs:6 one'), 'p:probe/sum_L6 program.cjs:6 one\n');
  assert.equal(await probe('-l', 's*:*'), '  shop:ends            (on sum%return with arg1=$retval)\n');
  await fentry('append', 'events/shop/enable', '1');
  assert.match(await probe('-d', 'shop:*'), /\(EBUSY\)/);
  assert.equal(await probe('-d', 'probe:*'), 'Removed event: probe:sum\nRemoved event: probe:sum_1\n');
  assert.match(await probe('-d', 'probe:*'), /is no event of a probe/);
  assert.equal(await fentry('cat', 'kprobe_events'), 'r:shop/ends sum arg1=$retval\n');
});

test('a function of one of several files is meant by @FILE', async (t) => {
  const { probe, fentry } = await start(t);
  assert.match(await probe('-D', 'sum@program.cjs list'), /^p:probe\/sum 0xffffffff[\da-f]{8} list\n$/);
  await probe('-q', '-a', 'begin=sum@program.cjs list', '-a', 'end=sum@program.cjs%return $retval list');
  await fentry('append', 'events/probe/enable', '1');
  const trace = async (): Promise<string> => fentry('cat', 'trace');
  await until(async () => (await trace()).includes(' end: '), 'both are heard');
  assert.match(await trace(), / begin: \(sum\+0x0\/0x[\da-f]+\) list=\[1, 2\]\n/);
  assert.match(await trace(), / end: \(\S+ <- sum\) arg1=6 list=\[1, 2\]\n/);
});

test('lines and names are those of the source map', async (t) => {
  // What a compiler makes of a file with two lines of types before the function.
  const map = {
    version: 3,
    file: 'out.cjs',
    sources: ['shop.ts'],
    sourcesContent: [
      'type Money = number;\n\nfunction tax(price: Money): Money {\n  const part = price / 5;\n  return part;\n}\n',
    ],
    names: [],
    mappings: 'AAEA,SAAS,GAAG,CAAC,KAAY;IACvB,MAAM,IAAI,GAAG,KAAK,GAAG,CAAC,CAAC;IACvB,OAAO,IAAI,CAAC;AACd,CAAC',
  };
  const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  const code = 'function tax(price) {\n    const part = price / 5;\n    return part;\n}\nsetInterval(() => tax(10), 5);\n';
  const { probe } = await start(t, `${code}//# sourceMappingURL=${url}\n`, 'out.cjs');
  assert.equal(
    await probe('-L', 'tax'),
    `<tax@/app/shop.ts:0>
      0  function tax(price: Money): Money {
      1    const part = price / 5;
      2    return part;
         }
`,
  );
  assert.match(await probe('-L', 'shop.ts:3-4'), /^<\/app\/shop\.ts:3>\n {6}3 {2}function tax.*\n {6}4 {4}const part/);
  assert.match(await probe('-V', 'shop.ts:5'), /\t\tparameter\tprice\n\t\tconst\tpart\n$/);
});

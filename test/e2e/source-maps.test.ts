import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSync } from 'esbuild';
import ts from 'typescript';
import { Sandbox, until } from './support/program.js';

const BASKET = `// What somebody buys.
export interface Item { price: number }

export class Basket {
  #items: Item[] = [];
  addItem(item: Item): void { this.#items.push(item); }
  grandTotal(): number {
    return sumOfPrices(this.#items);
  }
}

const isCheap = (item: Item): boolean => item.price < 10;

function sumOfPrices(items: Item[]): number {
  return items
    .filter(isCheap)
    .map((item) => item.price * 2)
    .reduce((sum, price) => sum + price, 0);
}
`;

const MAIN = `import { Basket } from './basket.js';

function visitShop(): number {
  const basket = new Basket();
  basket.addItem({ price: 3 });
  return basket.grandTotal();
}
setInterval(visitShop, 5);
`;

const NAMES = ['visitShop', 'Basket.addItem', 'Basket.grandTotal', 'sumOfPrices', 'isCheap', 'sumOfPrices.map@17'];

const writeSources = (sandbox: Sandbox): string => {
  sandbox.file('basket.ts', BASKET);
  return sandbox.file('main.ts', MAIN);
};

const bundled = (sandbox: Sandbox, sourcemap: 'inline' | 'linked'): string => {
  const outfile = join(sandbox.folder, 'bundle.cjs');
  buildSync({
    entryPoints: [writeSources(sandbox)],
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    outfile,
    sourcemap,
    target: 'es2022',
  });
  return readFileSync(outfile, 'utf8');
};

const linesOf = async (sandbox: Sandbox, file: string): Promise<string[]> => (await sandbox.read(file)).trimEnd().split('\n');

for (const kind of ['inline', 'linked'] as const) {
  test(`a minified bundle is traced by its authors’ names, with a map that is ${kind}`, async (t) => {
    const sandbox = new Sandbox(t);
    const code = bundled(sandbox, kind);
    assert.ok(!code.split('//# sourceMappingURL')[0]?.includes('sumOfPrices'), 'the text has other names');
    await sandbox.start(code, {}, 'bundle.cjs');
    await until(async () => (await linesOf(sandbox, 'available_filter_functions')).length > 1, 'the program has begun');
    const listed = await linesOf(sandbox, 'available_filter_functions');
    for (const name of NAMES) assert.ok(listed.includes(name), `${name} in ${listed}`);
    const symbols = (await linesOf(sandbox, 'kallsyms')).map((line) => line.split(' ')[2]);
    for (const name of NAMES) assert.ok(symbols.includes(name), `${name} in ${symbols}`);
    assert.equal((await sandbox.fentry('write', 'set_ftrace_filter', 'sumOfPrices')).code, 0);
    assert.deepEqual(await linesOf(sandbox, 'set_ftrace_filter'), ['sumOfPrices']);
    assert.equal((await sandbox.fentry('write', 'current_tracer', 'function')).code, 0);
    await until(
      async () => (await sandbox.read('trace')).includes(': sumOfPrices <-Basket.grandTotal\n'),
      'the function is traced',
    );
    assert.deepEqual(await linesOf(sandbox, 'enabled_functions').then((lines) => lines.map((line) => line.split(' ')[0])), [
      'sumOfPrices',
    ]);
  });
}

test('a filter that was set before the bundle was loaded waits for its author’s names', async (t) => {
  const sandbox = new Sandbox(t);
  const code = bundled(sandbox, 'linked');
  await sandbox.start(code, { FENTRY: 'ftrace=function ftrace_filter=Basket.*' }, 'bundle.cjs');
  await until(async () => (await sandbox.read('trace')).includes(': Basket.grandTotal <-visitShop\n'), 'the method is traced');
  assert.doesNotMatch(await sandbox.read('trace'), /: sumOfPrices <-/);
});

test('a recording has the authors’ names', async (t) => {
  const sandbox = new Sandbox(t);
  bundled(sandbox, 'linked');
  // Both intervals have one length: the bundle's has its turn first.
  const stop = sandbox.file('stop.cjs', 'require("./bundle.cjs"); setInterval(() => process.exit(), 5);');
  const { code } = await sandbox.fentry('record', '-p', 'function', '-o', 'shop.dat', '--', process.execPath, stop);
  assert.equal(code, 0);
  const { stdout } = await sandbox.fentry('report', '-i', 'shop.dat');
  assert.match(stdout, /function: +sumOfPrices\b/);
});

test('compiled TypeScript has the lines and files of its source', async (t) => {
  const sandbox = new Sandbox(t);
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, sourceMap: true };
  const source = `interface Wide {
  a: number;
  b: number;
}
function outer(list: Wide[]) {
  return list.map((one) => one.a);
}
setInterval(() => outer([{ a: 1, b: 2 }]), 5);
`;
  const { outputText, sourceMapText } = ts.transpileModule(source, { compilerOptions: options, fileName: 'typed.ts' });
  writeFileSync(join(sandbox.folder, 'typed.js.map'), sourceMapText as string);
  await sandbox.start(outputText, {}, 'typed.js');
  await until(async () => (await linesOf(sandbox, 'available_filter_functions')).length > 2, 'the program has begun');
  assert.deepEqual(await linesOf(sandbox, 'available_filter_functions'), ['outer', 'outer.map@6', 'setInterval@8']);
});

test('a function without a site has its place in the original source', async (t) => {
  const sandbox = new Sandbox(t);
  const text = 'setInterval(odd, 5);\nfunction odd() { with ({}) { return 1 } }\n';
  const mappings = 'AASA;AAUA'; // Line 2 of the text is line 20 of odd.coffee.
  const map = { version: 3, sources: ['odd.coffee'], names: [], mappings };
  const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
  await sandbox.start(`${text}//# sourceMappingURL=${url}\n`);
  const listed = async (): Promise<string> => sandbox.read('functions_without_sites');
  await until(async () => (await listed()).includes('odd'), 'it is listed');
  assert.match(await listed(), /^odd\t\S+\/odd\.coffee:20:1\tinside or around a with statement/);
});

for (const [what, url, content] of [
  ['missing', 'none.map', undefined],
  ['broken', 'broken.map', '{"version":3,"mappings":"AA'],
  ['of other fields', 'other.map', '{"version":3,"sources":{},"mappings":7,"names":{"a":1}}'],
  ['a device', '/dev/zero', undefined],
] as const) {
  test(`a map that is ${what} changes no names`, async (t) => {
    const sandbox = new Sandbox(t);
    if (content !== undefined) sandbox.file(url, content);
    await sandbox.start(`function a() {}\nsetInterval(a, 5);\n//# sourceMappingURL=${url}\n`);
    await until(async () => (await linesOf(sandbox, 'available_filter_functions'))[0] === 'a', 'the name is the text’s');
    assert.equal((await sandbox.fentry('write', 'set_ftrace_filter', 'a')).code, 0);
  });
}

/** The places of functions, without the sandbox's folder. */
const placesOf = async (sandbox: Sandbox): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await linesOf(sandbox, 'function_places')).map(
      (line) => line.replace(`${sandbox.folder}/`, '').split(' ') as [string, string],
    ),
  );

test('function_places has each function that can be traced, in the same order, where its author has it', async (t) => {
  const sandbox = new Sandbox(t);
  await sandbox.start(bundled(sandbox, 'linked'), {}, 'bundle.cjs');
  await until(async () => (await linesOf(sandbox, 'available_filter_functions')).length > 1, 'the program has begun');
  const [listed, places] = await Promise.all(
    ['available_filter_functions', 'function_places'].map((file) => linesOf(sandbox, file)),
  );
  assert.deepEqual(
    places!.map((line) => line.replace(/ \S+:\d+:\d+$/, '')),
    listed,
  );
  const found = await placesOf(sandbox);
  assert.deepEqual(
    ['visitShop', 'Basket.addItem', 'sumOfPrices', 'sumOfPrices.map@17'].map((name) => found.get(name)),
    ['main.ts:3:1', 'basket.ts:6:3', 'basket.ts:14:1', 'basket.ts:17:11'],
  );
  const symbols = await linesOf(sandbox, 'kallsyms_places');
  assert.equal(symbols[0], `folder ${sandbox.folder}`);
  const address = (await linesOf(sandbox, 'kallsyms')).find((line) => line.endsWith(' visitShop'))!.split(' ')[0]!;
  assert.ok(symbols.includes(`${address} ${sandbox.folder}/main.ts:3:1`), symbols.join('\n'));
});

/** What each map claims of a program whose one line is `function work() {}`, and where the function then is. */
const LIES: readonly (readonly [what: string, map: unknown, place: string])[] = [
  ['a line beyond the file', { version: 3, sources: ['a.ts'], names: [], mappings: 'AA+/////DA' }, 'bundle.cjs:1:1'],
  ['a line before the file', { version: 3, sources: ['a.ts'], names: [], mappings: 'AADA' }, 'bundle.cjs:1:1'],
  ['a source that is not there', { version: 3, sources: [], names: [], mappings: 'AAAA' }, 'bundle.cjs:1:1'],
  ['a file that is not there', { version: 3, sources: ['gone/a.ts'], names: [], mappings: 'AAAA' }, 'gone/a.ts:1:1'],
  [
    'a machine that is not there',
    { version: 3, sources: ['file://gone/a.ts'], names: [], mappings: 'AAAA' },
    'file://gone/a.ts:1:1',
  ],
  ['line breaks', { version: 3, sources: ['a\n\u001b[31m\u202e.ts'], names: [], mappings: 'AAAA' }, 'a__[31m\u202e.ts:1:1'],
  ['no mappings', { version: 3, sources: ['a.ts'], names: [] }, 'bundle.cjs:1:1'],
  ['sources of objects', { version: 3, sources: [{}], names: [3], mappings: 'AAAA' }, 'bundle.cjs:1:1'],
  ['nothing that is JSON', '{', 'bundle.cjs:1:1'],
];
test('a source map that lies loses no function', async (t) => {
  const sandbox = new Sandbox(t);
  const texts = LIES.map(([, map], i) => {
    const data = Buffer.from(typeof map === 'string' ? map : JSON.stringify(map)).toString('base64');
    const code = `function work${i}() {}\nexports.work = work${i};\n//# sourceMappingURL=data:application/json;base64,${data}\n`;
    return sandbox.file(`${i}/bundle.cjs`, code);
  });
  await sandbox.start(
    `const works = ${JSON.stringify(texts)}.map((path) => require(path).work); setInterval(() => works.map((one) => one()), 50);`,
  );
  await until(
    async () => (await linesOf(sandbox, 'available_filter_functions')).includes(`work${LIES.length - 1}`),
    'the texts are loaded',
  );
  const places = await placesOf(sandbox);
  for (const [i, [what, , place]] of LIES.entries())
    assert.equal(places.get(`work${i}`), place.startsWith('file:') ? place : `${i}/${place}`, what);
});

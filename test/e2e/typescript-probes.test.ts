import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildSync } from 'esbuild';
import ts from 'typescript';
import { ProbedProgram } from './support/probed-program.js';
import { Sandbox, until } from './support/program.js';

const PRICE = `// Prices in cents.
export interface Item {
  name: string;
  price: number;
}

export enum Kind { Plain, Gift }

export function totalOf(items: readonly Item[], kind: Kind): number {
  let total = 0;
  for (const item of items) {
    const share: number = kind === Kind.Gift ? item.price / 2 : item.price;
    total += share;
  }
  return total;
}
`;
const SERVER = `import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Item, Kind, totalOf } from './price.js';

type Answer = {
  total: number;
};

class Shop {
  private readonly items: Item[] = [{ name: 'tea', price: 300 }, { name: 'cup', price: 500 }];

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const kind: Kind = request.url === '/gift' ? Kind.Gift : Kind.Plain;
    const total = totalOf(this.items, kind);
    await null;
    const answer: Answer = { total };
    response.end(JSON.stringify(answer));
  }
}

const shop = new Shop();
const server = createServer((request, response) => shop.serve(request, response)).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const ask = async (): Promise<void> => {
    const answer = await fetch(\`http://127.0.0.1:\${port}/gift\`);
    console.log(await answer.text());
    setTimeout(ask, 20);
  };
  void ask();
});
`;

/** Each makes the text of a program of the two files, in the sandbox's folder. */
const COMPILERS: Readonly<Record<string, (sandbox: Sandbox) => string>> = {
  'esbuild into one file': ({ folder }) => {
    const outfile = join(folder, 'server.js');
    buildSync({
      entryPoints: [join(folder, 'server.ts')],
      outfile,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      sourcemap: 'linked',
      target: 'es2022',
    });
    return readFileSync(outfile, 'utf8');
  },
  'tsc file by file': ({ folder }) => {
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, sourceMap: true };
    for (const name of ['price', 'server']) {
      const source = readFileSync(join(folder, `${name}.ts`), 'utf8');
      const made = ts.transpileModule(source, { compilerOptions, fileName: `${name}.ts` });
      writeFileSync(join(folder, `${name}.js`), made.outputText);
      writeFileSync(join(folder, `${name}.js.map`), made.sourceMapText!);
    }
    return readFileSync(join(folder, 'server.js'), 'utf8');
  },
};

/** Places in TypeScript, and what their records say. */
const HEARD: readonly (readonly [probe: string, file: string, ...texts: string[]])[] = [
  ['p totalOf kind items[0].name', 'kprobe_events', 'kind=1 name="tea"'],
  ['r totalOf $retval', 'kprobe_events', 'arg1=400'],
  ['p price.ts:13 share total name=item.name', 'kprobe_events', 'share=150 total=0 name="tea"', 'share=250 total=150 name="cup"'],
  ['p totalOf:6 total', 'kprobe_events', 'total=400'],
  ['p Shop.serve:2 kind url=request.url', 'kprobe_events', 'kind=1 url="/gift"'],
  ['p server.ts:16 total kind', 'kprobe_events', 'total=400 kind=1'],
  ['p FOLDER/server.ts:17 answer', 'uprobe_events', 'answer={total: 400}'],
];

for (const [compiler, compile] of Object.entries(COMPILERS)) {
  for (const [way, parameters, flag] of [
    ['breakpoints', '', ''],
    ['sites of statements', 'statement_sites=app', '[OPTIMIZED]'],
  ] as const) {
    test(`lines of TypeScript that ${compiler} compiled are probed by ${way} while a server serves`, async (t) => {
      const sandbox = new Sandbox(t);
      sandbox.file('package.json', '{}');
      sandbox.file('price.ts', PRICE);
      sandbox.file('server.ts', SERVER);
      const program = await ProbedProgram.start(sandbox, compile(sandbox), { name: 'server.js', parameters });
      for (const [probe, file, ...texts] of HEARD) {
        const event = await program.probe(probe.replace('FOLDER', sandbox.folder), file);
        assert.deepEqual([probe, ...(await program.heard(event, texts.length))].sort(), [probe, ...texts].sort());
      }
      const ways = (await program.files.read('kprobes/list')).match(/(?<=\+0x[1-9a-f][\da-f]* {4}).*/g);
      assert.deepEqual(ways, [flag, flag, flag, flag]);
      assert.deepEqual([...program.lines.keys()], ['{"total":400}']);
    });
  }
}

/** Compiles TypeScript where it stands, as tsx does: the text has the path of the source, and a map with it in itself. */
const LOADER = `
const { transformSync } = require(${JSON.stringify(import.meta.resolve('esbuild').replace('file://', ''))});
require('node:module')._extensions['.ts'] = (module, file) => {
  const source = require('node:fs').readFileSync(file, 'utf8');
  const { code } = transformSync(source, { loader: 'ts', format: 'cjs', sourcefile: file, sourcemap: 'inline', minifyWhitespace: true });
  module._compile(code, file);
};
const { totalOf } = require('./price.ts');
setInterval(() => totalOf([{ name: 'tea', price: 300 }], 1), 5);
`;

test('a file that a loader has compiled in place is listed as its author has it', async (t) => {
  const sandbox = new Sandbox(t);
  sandbox.file('price.ts', PRICE);
  await sandbox.start(LOADER);
  const list = async (place: string) => {
    const { stdout, stderr } = await sandbox.fentry('probe', '-L', place);
    assert.equal(stderr, '');
    return stdout;
  };
  await until(async () => (await sandbox.fentry('probe', '-F', 'totalOf')).stdout.includes('totalOf'), 'the function is loaded');
  const listed = await list('totalOf');
  assert.match(listed, /^ {6}0 {2}export function totalOf\(items: readonly Item\[\], kind: Kind\): number \{$/m);
  assert.match(listed, /^ {6}3 {2} {4}const share: number = kind === Kind\.Gift \? item\.price \/ 2 : item\.price;$/m);
  assert.match(await list('price.ts:1-3'), /^\s+(?:1 {2})?\/\/ Prices in cents\.\n\s+(?:2 {2})?export interface Item \{$/m);
  assert.equal((await sandbox.fentry('append', 'kprobe_events', 'p:shared totalOf:4 share')).stderr, '');
  await sandbox.fentry('append', 'events/kprobes/shared/enable', '1');
  await until(async () => / shared: .* share=150\n/.test(await sandbox.read('trace')), 'its line is heard');
});

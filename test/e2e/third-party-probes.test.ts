import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installedPackage } from '../support/installed-package.js';
import { ProbedProgram } from './support/probed-program.js';
import { Sandbox } from './support/program.js';

/** A probe, and what its records say, each text once. */
type Heard = readonly (readonly [probe: string, ...texts: string[]])[];

/** FILE:LINE of the first line with this text alone, from the line on that begins with another. */
function place(file: string, from: string, text: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  const first = lines.findIndex((line) => line.startsWith(from));
  const found = lines.findIndex((line, at) => at >= first && line.trim() === text);
  assert.ok(first >= 0 && found >= 0, `${file} has ${from} and ${text}`);
  return `${file}:${found + 1}`;
}

/**
 * Adds the probes while the program works, and reads what they record.
 * @param parameters of FENTRY, one run for each
 */
async function probeEach(t: TestContext, source: string, parameters: readonly string[], heard: Heard): Promise<void> {
  for (const one of parameters) {
    const program = await ProbedProgram.start(new Sandbox(t), source, { parameters: one });
    const before = [...program.lines.keys()];
    const events: string[] = [];
    for (const [probe] of heard) events.push(await program.probe(probe));
    for (const [i, [probe, ...texts]] of heard.entries()) {
      assert.deepEqual([probe, ...(await program.heard(events[i]!, texts.length))].sort(), [probe, ...texts].sort());
    }
    const middles = heard.filter(([probe]) => /^p \//.test(probe));
    const ways = (await program.files.read('kprobes/list')).match(/(?<=\+0x[1-9a-f][\da-f]* {2}\S+ ).*/g);
    assert.deepEqual(
      ways,
      middles.map(() => (one.startsWith('statement_sites=') ? '[OPTIMIZED]' : '')),
    );
    await program.turns(2);
    assert.deepEqual([...program.lines.keys()], before);
    program.child.kill();
  }
}

test('Express is probed at entries, returns and lines while it serves', async (t) => {
  const response = resolve('node_modules/express/lib/response.js');
  const layer = resolve('node_modules/router/lib/layer.js');
  const source = `const express = require(${JSON.stringify(resolve('node_modules/express'))});
const app = express();
app.get('/item/:id', (request, response) => response.status(201).json({ id: request.params.id, price: 31.5 }));
const server = app.listen(0, '127.0.0.1', () => {
  const ask = () => fetch('http://127.0.0.1:' + server.address().port + '/item/tea?cup=2')
    .then(async (answer) => console.log(answer.status, await answer.text()))
    .finally(() => setTimeout(ask, 20));
  ask();
});
`;
  await probeEach(
    t,
    source,
    ['', 'statement_sites=express,router'],
    [
      ['p express:res.json obj.price id=obj.id:string', 'price=31.5 id="tea"'],
      ['p router:Layer.handleRequest req.url', 'url="/item/tea?cup=2"'],
      ['r router:Layer.match $retval.params.id path=path:string', 'id="tea" path="/item/tea"'],
      ['r express:res.status $retval.statusCode:u16 code', 'statusCode=201 code=201'],
      [
        `p ${place(response, 'res.send = ', "this.set('Content-Length', len);")} len generateETag req.method`,
        'len=25 generateETag=true method="GET"',
      ],
      [`p ${place(layer, 'Layer.prototype.match', 'return {')} match.params i path`, 'params={id: "tea"} i=1 path="/item/tea"'],
    ],
  );
});

test('Prettier is probed at entries, returns and lines while it formats files', async (t) => {
  const folder = installedPackage('prettier', '3.6.2');
  if (folder === undefined) return t.skip('npm could not install prettier');
  const main = join(folder, 'index.mjs');
  const source = `import(${JSON.stringify(pathToFileURL(main).href)}).then(async ({ format }) => {
  for (;;) {
    console.log(await format('a  = {b:1}', { parser: 'babel', filepath: 'some.js' }));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
`;
  /** The pieces of the formatted file, and the columns at which they are printed. */
  const pieces = ['a:0', ':1', ' :1', '=:2', ':4', '{:4', 'b:6', ':7', '::7', ' :8', '1:9', '}:11', ';:12', ':12'];
  const printed = pieces.map((piece) => piece.replace(/^(.*):(\d+)$/, 'formatted="$1" pos2=$2 width=80'));
  await probeEach(
    t,
    source,
    [''],
    [
      ['p prettier:printDocToString width=options8.printWidth:u8', 'width=80'],
      ['r prettier:printDocToString text=$retval.formatted', 'text="a = { b: 1 };\\n"'],
      ['r prettier:coreFormat originalText text=$retval.formatted', 'originalText="a  = {b:1}" text="a = { b: 1 };\\n"'],
      [`p ${place(main, 'function printDocToString(', 'out.push(formatted);')} formatted pos2 width`, ...printed],
    ],
  );
});

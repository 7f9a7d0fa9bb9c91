// Machine code of idle functions: what V8's optimizing compiler makes of functions of many shapes, with sites and without.
import { fileURLToPath } from 'node:url';
import { FENTRY, output } from './lib/child.mjs';
import { parseOptCode } from './lib/opt-code.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const FIXTURE = fileURLToPath(new URL('./fixtures/hot-functions.cjs', import.meta.url));
/** Without Maglev, so that nothing but the fixture asks for a function's optimization, and always the compiler of the last tier. */
const FLAGS = ['--allow-natives-syntax', '--print-opt-code', '--no-concurrent-recompilation', '--no-maglev'];
const NAME = 'machine-code';

/** The fixture's functions, name -> instructions; what else was optimized (fentry, Node) is left out. */
const optimized = (...flags) => {
  const printed = output(process.execPath, [...flags, ...FLAGS, FIXTURE]);
  const wanted = /^functions (.*)$/m.exec(printed)[1].split(',');
  return new Map([...parseOptCode(printed)].filter(([name]) => wanted.includes(name)));
};
const opcodes = (lines) => lines.map((line) => line.replace(/^REX\.W /, '').split(' ')[0]).join('\n');

const plain = optimized();
const again = optimized();
const idle = optimized('--import', FENTRY);
const names = [...plain.keys()];
const isStable = (name) => again.get(name)?.join('\n') === plain.get(name).join('\n');
const missing = names.filter((name) => !idle.has(name));

if (names.length === 0) cannot(NAME, 'this Node prints no optimized code');
else if (missing.length > 0) cannot(NAME, `with sites V8 did not optimize ${missing.join(', ')}`);
else {
  const sum = (functions) => names.reduce((total, name) => total + functions.get(name).length, 0);
  const sameText = names.filter((name) => idle.get(name).join('\n') === plain.get(name).join('\n'));
  const sameOpcodes = names.filter((name) => opcodes(idle.get(name)) === opcodes(plain.get(name)));
  verdict({
    name: NAME,
    ratio: sum(idle) / sum(plain),
    target: 'same instructions',
    detail: `${sum(idle)} instructions with sites, ${sum(plain)} without, in ${names.length} functions: ${sameOpcodes.length} with the same opcodes in order, ${sameText.length} the same in every operand but addresses; two plain runs agree in ${names.filter(isStable).length}`,
  });
  for (const name of names) {
    if (sameOpcodes.includes(name)) continue;
    console.log(`  ${name}: ${idle.get(name).length} instructions with sites, ${plain.get(name).length} without`);
  }
}

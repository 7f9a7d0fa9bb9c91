// Machine code of idle functions: what V8's optimizing compiler makes of functions of many shapes, with sites and without.
import { fileURLToPath } from 'node:url';
import { FENTRY, output } from './lib/child.mjs';
import { parseOptCode } from './lib/opt-code.mjs';
import { cannot, verdict } from './lib/verdict.mjs';

const FIXTURE = fileURLToPath(new URL('./fixtures/hot-functions.cjs', import.meta.url));
/**
 * V8's options: without Maglev, so that nothing but the fixture asks for a function's optimization, and always the compiler of
 * the last tier.
 */
const FLAGS = ['--allow-natives-syntax', '--print-opt-code', '--no-concurrent-recompilation', '--no-maglev'];
const NAME = 'machine-code';

const names = output(process.execPath, ['--allow-natives-syntax', FIXTURE, 'names']).trim().split(',');

/** name -> instructions. A run for each function: what other threads print at the same time would mix with it. */
const optimized = (flags = [], env = process.env) => {
  const runOf = (name) =>
    parseOptCode(output(process.execPath, [...flags, ...FLAGS, `--print-opt-code-filter=${name}`, FIXTURE], { env })).get(name);
  return new Map(names.flatMap((name) => [[name, runOf(name)]]).filter(([, lines]) => lines !== undefined));
};

/**
 * A function's check of the stack's limit at its entry allows for the frames that a deoptimization would make: a larger constant,
 * and one instruction to subtract it from a certain size on. Sites make those frames larger.
 */
const withoutStackCheck = (lines) =>
  lines
    .filter((line) => !/leaq r10,\[rsp-/.test(line))
    .map((line) => line.replace(/cmpq (?:r10|rsp),(.*jslimit)/, 'cmpq STACK,$1'));

const plain = optimized();
const again = optimized();
const idle = optimized(['--import', FENTRY]);
const statements = optimized(['--import', FENTRY], { ...process.env, FENTRY: 'statement_sites=app' });
const isStable = (name) => again.get(name)?.join('\n') === plain.get(name).join('\n');
const missing = names.filter((name) => plain.has(name) && !idle.has(name));

if (plain.size === 0) cannot(NAME, 'this Node prints no optimized code');
else if (missing.length > 0) cannot(NAME, `with sites V8 did not optimize ${missing.join(', ')}`);
else {
  const sum = (functions) => names.reduce((total, name) => total + functions.get(name).length, 0);
  const same = (view) => names.filter((name) => String(view(idle.get(name))) === String(view(plain.get(name))));
  const whole = same((lines) => lines);
  const butStackCheck = same(withoutStackCheck);
  verdict({
    name: NAME,
    ratio: sum(idle) / sum(plain),
    target: 'same instructions',
    detail: `${sum(idle)} instructions with sites, ${sum(plain)} without, in ${names.length} functions: ${whole.length} the same in every operand but addresses, ${butStackCheck.length} when the stack-limit check's allowance is left out; two plain runs agree in ${names.filter(isStable).length}`,
  });
  const both = names.filter((name) => statements.has(name));
  const sizes = (functions) => both.reduce((total, name) => total + functions.get(name).length, 0);
  const unchanged = both.filter(
    (name) => String(withoutStackCheck(statements.get(name))) === String(withoutStackCheck(plain.get(name))),
  );
  verdict({
    name: `${NAME}, sites at statements too`,
    ratio: sizes(statements) / sizes(plain),
    detail: `${sizes(statements)} instructions with idle sites at statements, ${sizes(plain)} without, in ${both.length} of ${names.length} functions; ${unchanged.length} the same but for the stack-limit check`,
  });
  for (const name of names) {
    if (whole.includes(name)) continue;
    const difference = butStackCheck.includes(name) ? 'only the stack-limit check differs' : 'DIFFERENT';
    console.log(`  ${name}: ${idle.get(name).length} instructions with sites, ${plain.get(name).length} without; ${difference}`);
  }
}

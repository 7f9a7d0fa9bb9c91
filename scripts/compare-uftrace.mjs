// Compares the graphs that fentry and uftrace make of the same runs of programs in C and C++, which are compiled with sites:
// `npm run build && node scripts/compare-uftrace.mjs [NAME...]` prints a table, and each first difference. Exits 1 where trees
// differ and nothing is known of it. It needs gcc, g++, nm and uftrace.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS } from './uftrace-programs/programs.mjs';

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const SITES = ['-O2', '-pg', '-mfentry', '-fno-inline', '-fno-ipa-cp', '-fno-ipa-sra', '-fno-ipa-icf', '-fno-partial-inlining'];

const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/**
 * The calls of some functions in a graph's text, each with its depth among these. @param line what has a line's brace and name
 */
function calls(text, line, isKept) {
  const open = [];
  const found = [];
  for (const one of text.split('\n')) {
    const [, indent, rest] = line.exec(one) ?? [];
    if (rest === undefined) continue;
    const depth = indent.length;
    while (open.length > 0 && open.at(-1).depth >= depth) open.pop();
    const [, name, brace] = /^([^\s;{}].*?)\(\)( \{|;)/.exec(rest) ?? [];
    if (name === undefined || !isKept(name)) continue;
    found.push(`${'  '.repeat(open.length)}${name}`);
    if (brace === ' {') open.push({ depth });
  }
  return found;
}

function compare({ name, language, source, known }, folder) {
  const file = join(folder, `${name}.${language === 'c++' ? 'cc' : 'c'}`);
  writeFileSync(file, source);
  const program = join(folder, name);
  const compiler = language === 'c++' ? 'g++' : 'gcc';
  run(compiler, [...SITES, '-c', '-o', `${program}.o`, file], folder);
  run(compiler, ['-pg', '-o', program, `${program}.o`], folder);
  const own = run('nm', ['-C', '--defined-only', `${program}.o`], folder).matchAll(/^\S+ [TW] (\w+)/gm);
  const names = new Set([...own].map(([, symbol]) => symbol));
  const isKept = (one) => names.has(one);
  const data = join(folder, `${name}.uftrace`);
  const ended = spawnSync('uftrace', ['record', '--no-libcall', '-d', data, program], { cwd: folder, encoding: 'utf8' });
  const theirs = calls(run('uftrace', ['replay', '-f', 'none', '--no-libcall', '-d', data], folder), /^( *)(.*)$/, isKept);
  const filters = [...names].flatMap((one) => ['-l', one]);
  run(
    process.execPath,
    [CLI, 'record', '--native', '-p', 'function_graph', ...filters, '-o', 'fentry.dat', '--', program],
    folder,
  );
  const ours = calls(run(process.execPath, [CLI, 'report', 'fentry.dat'], folder), /funcgraph_\w+: .*?\|( +)(.*)$/, isKept);
  const at = theirs.findIndex((call, i) => call !== ours[i]);
  if (/terminated by signal/.test(ended.stderr)) {
    console.log(`| ${name} | ${theirs.length} | ${ours.length} | uftrace ends the program by a signal |`);
    return;
  }
  const isSame = at < 0 && theirs.length === ours.length;
  console.log(`| ${name} | ${theirs.length} | ${ours.length} | ${isSame ? 'the same tree' : (known ?? 'differs')} |`);
  if (isSame || known !== undefined) return;
  process.exitCode = 1;
  const first = at < 0 ? theirs.length : at;
  console.log(`call ${first}:\n  uftrace ${theirs[first]}\n  fentry  ${ours[first]}`);
}

const chosen = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'fentry-uftrace-'));
try {
  console.log('| program | calls in uftrace | in fentry | |\n| --- | --- | --- | --- |');
  for (const one of PROGRAMS) if (chosen.length === 0 || chosen.includes(one.name)) compare(one, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

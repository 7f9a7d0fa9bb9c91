import type { AnswerStyle } from '../answer.js';
import { placeText } from '../place-text.js';
import { unitTime } from '../unit-time.js';
import type { ModulesAnswer, ModuleTime } from './modules-answer.js';

const COLUMN = 12;
/** Modules with a smaller part of the time are folded. */
const LEAST = 0.01;

const TITLES = ['Total time', 'Own time', 'fentry’s'];

const lineOf = (times: readonly string[], name: string): string =>
  `  ${times.map((time) => time.padStart(COLUMN)).join('  ')}  ${name}`;

/** The tree of imports with its times; modules with little time are folded into one line for each importer. */
export function* modulesText({ application, time, modules }: ModulesAnswer, style: AnswerStyle): Generator<string> {
  yield lineOf(TITLES, 'Module');
  yield lineOf(
    TITLES.map(() => '='.repeat(COLUMN)),
    '='.repeat(20),
  );
  yield* treeLines(modules, '', { folder: application, ...style }, style.all ? 0 : LEAST * time);
}

function* treeLines(modules: readonly ModuleTime[], indent: string, style: AnswerStyle, least: number): Generator<string> {
  const folded = modules.filter(({ total }) => total < least);
  for (const { file, package: name, own, sites, total, isOpen, imports } of modules) {
    if (total < least) continue;
    const where = placeText({ file, line: 0, column: 0 }, style);
    const open = isOpen ? ' (not at its end)' : '';
    yield lineOf([total, own, sites].map(unitTime), `${indent}${where}${name === undefined ? '' : ` [${name}]`}${open}`);
    yield* treeLines(imports, `${indent}  `, style, least);
  }
  if (folded.length === 0) return;
  const count = folded.reduce((sum, one) => sum + size(one), 0);
  const total = folded.reduce((sum, one) => sum + one.total, 0);
  yield lineOf(
    [unitTime(total), '', ''],
    `${indent}${count} more module${count === 1 ? '' : 's'}; --all shows ${count === 1 ? 'it' : 'them'}`,
  );
}

const size = ({ imports }: ModuleTime): number => imports.reduce((sum, one) => sum + size(one), 1);

import type { AnswerStyle } from '../answer.js';
import { placeText } from '../place-text.js';
import { unitTime } from '../unit-time.js';
import type { ModulesAnswer, ModuleTime } from './modules-answer.js';

const COLUMN = 12;
/** Modules with a smaller part of the time are folded. */
const LEAST = 0.01;

/** A time of a module, by its title. */
type Column = readonly [title: string, time: (one: ModuleTime) => number | undefined];
const COLUMNS: readonly Column[] = [
  ['Total time', ({ total }) => total],
  ['Own time', ({ own, waits }) => (waits ? undefined : own)],
  ['Read', ({ read }) => read],
  ['Compiled', ({ compile }) => compile],
  ['fentry’s', ({ sites }) => sites],
];

const lineOf = (times: readonly string[], name: string): string =>
  `  ${times.map((time) => time.padStart(COLUMN)).join('  ')}  ${name}`;

/**
 * The tree of imports with its times; modules with little time are folded into one line for each importer. A time that is known
 * of no module has no column.
 */
export function* modulesText({ application, time, modules }: ModulesAnswer, style: AnswerStyle): Generator<string> {
  const columns = COLUMNS.filter(([, timeOf]) => isKnown(modules, timeOf));
  yield lineOf(
    columns.map(([title]) => title),
    'Module',
  );
  yield lineOf(
    columns.map(() => '='.repeat(COLUMN)),
    '='.repeat(20),
  );
  yield* treeLines(modules, columns, '', { folder: application, ...style }, style.all ? 0 : LEAST * time);
}

const isKnown = (modules: readonly ModuleTime[], timeOf: Column[1]): boolean =>
  modules.some((one) => timeOf(one) !== undefined || isKnown(one.imports, timeOf));

function* treeLines(
  modules: readonly ModuleTime[],
  columns: readonly Column[],
  indent: string,
  style: AnswerStyle,
  least: number,
): Generator<string> {
  const folded = modules.filter(({ total }) => total < least);
  for (const one of modules) {
    const { file, package: name, total, waits, isOpen, imports } = one;
    if (total < least) continue;
    const where = placeText({ file, line: 0, column: 0 }, style);
    const open = waits ? ' (awaits: its own time is not known)' : isOpen ? ' (not at its end)' : '';
    const times = columns.map(([, timeOf]) => timeOf(one)).map((time) => (time === undefined ? '' : unitTime(time)));
    yield lineOf(times, `${indent}${where}${name === undefined ? '' : ` [${name}]`}${open}`);
    yield* treeLines(imports, columns, `${indent}  `, style, least);
  }
  if (folded.length === 0) return;
  const count = folded.reduce((sum, one) => sum + size(one), 0);
  const total = folded.reduce((sum, one) => sum + one.total, 0);
  yield lineOf(
    [unitTime(total), ...columns.slice(1).map(() => '')],
    `${indent}${count} more module${count === 1 ? '' : 's'}; --all shows ${count === 1 ? 'it' : 'them'}`,
  );
}

const size = ({ imports }: ModuleTime): number => imports.reduce((sum, one) => sum + size(one), 1);

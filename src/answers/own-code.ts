import { grouped } from '../base/grouped.js';
import { visibleLine } from '../base/visible.js';
import type { Frame } from './place.js';

/** What is known of code when it must be decided whose it is. */
export interface CodeOrigin {
  /** The npm package; `node` for Node's own modules; '' or absent for none. */
  readonly package?: string | undefined;
  /** The file, if it is known. */
  readonly file?: string | undefined;
}

/**
 * Files that are not the application's, though no folder `node_modules` is around them: package managers as distributions install
 * them, and what Yarn writes into a project.
 */
const TOOL_FILE = /\/(?:nodejs|share)\/(?:npm|yarn|yarnpkg|corepack|pnpm)\/|\/\.(?:yarn|pnp)\/|\/\.pnp\.(?:loader\.mjs|[cm]?js)$/;
/** Texts that are Node's own, or V8's. */
const INTERNAL_FILE = /^(?:node|v8|wasm|native):/;

/** Whether code is the application's own: of no package, not Node's, and no package manager or loader. */
export function isOwnCode({ package: name, file }: CodeOrigin): boolean {
  if (name !== undefined && name !== '') return false;
  return file === undefined || !(INTERNAL_FILE.test(file) || TOOL_FILE.test(file));
}

/** What of a table is folded into one line. */
export interface FoldedCode {
  /** The packages, those with the largest share first. */
  readonly packages: readonly string[];
  readonly functions: number;
  /** The part of what is measured that they have, from 0 to 1; absent: nothing is measured. */
  readonly share?: number | undefined;
}

/** How many packages the line names. */
const NAMED = 3;

/** `tsx, express: 38 functions, 12 % of the time; --all shows them`: the line for what is not shown. */
export function foldedLine({ packages, functions, share }: FoldedCode, measure = 'the time'): string {
  const shown = packages.slice(0, NAMED).map((name) => visibleLine(name));
  const more = packages.length - shown.length;
  const names = shown.length === 0 ? 'others' : shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
  const part = share === undefined ? '' : `, ${percentText(share)} of ${measure}`;
  return `${names}: ${grouped(functions)} function${functions === 1 ? '' : 's'}${part}; --all shows ${functions === 1 ? 'it' : 'them'}`;
}

/** A share as whole percents, or as less than one. */
function percentText(share: number): string {
  const percent = Math.round(100 * share);
  return percent === 0 && share > 0 ? 'less than 1 %' : `${percent} %`;
}

/** What is shown of a table, and the line for what is not: undefined if all is. */
export interface FoldedTable<One> {
  readonly shown: readonly One[];
  readonly folded?: string;
}

/**
 * Folds what is not the application's into one line. If nothing is the application's, all is shown.
 * @param amount how much of what is measured a function has
 * @param whole how much all have, with those that are not in the table
 * @param all shows all
 * @param measure what is measured; absent: the time
 */
export function foldCode<One extends Frame>(
  functions: readonly One[],
  amount: (one: One) => number,
  whole: number,
  all: boolean,
  measure?: string,
): FoldedTable<One> {
  const shown = functions.filter(({ isOwn }) => isOwn);
  if (all || shown.length === 0 || shown.length === functions.length) return { shown: functions };
  const others = functions.filter(({ isOwn }) => !isOwn);
  const amounts = new Map<string, number>();
  for (const one of others) amounts.set(nameOf(one), (amounts.get(nameOf(one)) ?? 0) + amount(one));
  const packages = [...amounts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const sum = others.reduce((total, one) => total + amount(one), 0);
  const share = whole === 0 ? undefined : sum / whole;
  return { shown, folded: foldedLine({ packages, functions: others.length, share }, measure) };
}

/** The package of functions that are counted together and belong to several packages. */
export const SEVERAL_PACKAGES = '*';

/** What the code of a tool without a package is called. */
const nameOf = ({ package: name }: Frame): string =>
  name === undefined || name === '' ? 'tools' : name === SEVERAL_PACKAGES ? 'several' : name;

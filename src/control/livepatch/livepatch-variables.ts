import { basename } from 'node:path';
import { TraceError } from '../../base/errno.js';
import { groupBy } from '../../base/group-by.js';
import { isEndOf } from '../../base/is-end-of.js';
import type { LinkedText, ModuleScope } from '../../ftrace/text.js';
import type { PatchedModule, WantedVariable } from '../../ftrace/tracers/diversions.js';
import type { TextTable } from '../ftrace/text-table.js';
import type { LivepatchProcess } from './livepatch.js';
import type { ResolvedFunction } from './livepatch-functions.js';

/** `NAME`, `FILE:NAME`. */
const REFERENCE = /^(?:(.+):)?([^:\s]+)$/;
/** So many names are listed in an error. */
const MOST_NAMES = 20;

/** A function of a patch, and what it sees of its module. */
interface Viewer {
  readonly n: number;
  readonly scope: ModuleScope;
}

/** A module in which a patch replaces functions. */
export interface ViewedModule {
  readonly file: string;
  readonly viewers: readonly Viewer[];
}

/**
 * Finds the variables that the file of a patch needs, in the modules of the functions that it replaces.
 * @throws TraceError EINVAL if there is no such variable, several have the name, or no function of the patch sees it
 */
export async function resolveVariables(
  wanted: readonly WantedVariable[],
  functions: readonly ResolvedFunction[],
  { table, places }: Pick<LivepatchProcess, 'table' | 'places'>,
): Promise<readonly PatchedModule[]> {
  if (wanted.length === 0) return [];
  const modules: ViewedModule[] = [];
  for (const [text, own] of groupBy(functions, ({ patched }) => table.textOf(patched.n))) {
    const source = await places.sourceOf(text);
    const viewers = source === undefined ? [] : own.flatMap(({ patched: { n } }) => viewerOf(n, text, source, table));
    modules.push({ file: text.file, viewers });
  }
  return chooseVariables(wanted, modules).map(({ variables, functions: reaching }) => ({
    variables,
    functions: reaching.map(({ n, scope: { forget } }) => ({
      ...{ n, forget, address: table.address(n), kind: table.function(n).kind },
    })),
  }));
}

function viewerOf(n: number, text: LinkedText, source: string, table: TextTable): readonly Viewer[] {
  const scope = text.moduleScope?.(source, table.function(n));
  return scope === undefined ? [] : [{ n, scope }];
}

interface ChosenModule {
  readonly functions: readonly Viewer[];
  readonly variables: PatchedModule['variables'];
}

/** The variables by modules, with the functions that see all of them. Pure; throws as above. */
export function chooseVariables(wanted: readonly WantedVariable[], modules: readonly ViewedModule[]): readonly ChosenModule[] {
  const chosen = wanted.map((one) => ({ property: one.property, ...choose(one, modules) }));
  return Array.from(
    groupBy(chosen, ({ module }) => module),
    ([{ file, viewers }, own]) => {
      const variables = own.map(({ property, name }) => ({ property, name }));
      const functions = viewers.filter(({ scope: { hidden } }) => !variables.some(({ name }) => hidden.includes(name)));
      if (functions.length > 0) return { functions, variables };
      const names = variables.map(({ name }) => name).join(', ');
      throw refused(
        `${names} of ${basename(file)}: each function that the patch replaces there has a variable of that name of its own`,
      );
    },
  );
}

function choose({ reference }: WantedVariable, modules: readonly ViewedModule[]): { module: ViewedModule; name: string } {
  const [, path, name] = REFERENCE.exec(reference) ?? [];
  if (name === undefined) throw refused(`${reference}: the form is NAME or FILE:NAME`);
  const meant = modules.filter(({ file }) => path === undefined || isEndOf(path, file));
  if (meant.length === 0) throw refused(`${reference}: the patch replaces no function of ${path}; ${places(modules)}`);
  const [module, other] = meant.filter(({ viewers }) => viewers.some(({ scope }) => has(scope, name)));
  if (module === undefined) throw refused(whyNot(name, meant));
  if (other !== undefined) throw refused(`several modules have a variable ${name}: say FILE:${name}; ${places([module, other])}`);
  return { module, name };
}

const has = ({ variables }: ModuleScope, name: string): boolean => variables.some((one) => one.name === name);

const places = (modules: readonly ViewedModule[]): string =>
  `it replaces functions of ${modules.map(({ file }) => file).join(', ')}`;

function whyNot(name: string, modules: readonly ViewedModule[]): string {
  const scopes = modules.flatMap(({ viewers }) => viewers.map(({ scope }) => scope));
  const files = modules.map(({ file }) => basename(file)).join(', ');
  if (scopes.length === 0) return `the source of ${files} cannot be read`;
  if (scopes.some(({ unkept }) => unkept.includes(name))) {
    return `${name} of ${files} is gone: no function of the module uses it, so V8 has not kept it`;
  }
  if (scopes.some(({ hidden }) => hidden.includes(name))) {
    return `${name} is a variable inside of a function, which exists once for each call: only those of the module can be reached`;
  }
  const names = [...new Set(scopes.flatMap(({ variables }) => variables.map((one) => one.name)))];
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return `there is no variable ${name} in ${files}, which has ${names.slice(0, MOST_NAMES).join(', ') || 'none'}${more}`;
}

const refused = (message: string): TraceError => new TraceError('EINVAL', `klpSymbols: ${message}`);

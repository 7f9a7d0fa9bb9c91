import { SafeSet } from '../../base/safe-map.js';

const FOLDER = '/node_modules/';

/**
 * Beyond ASCII, or not to be printed: no package of npm has such a name. No regular expression at a program's start, where V8
 * would compile it.
 */
const printable = (name: string): string => {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code <= BLANK || code >= DELETE) return name.replace(/[\p{C}\p{Z}[\]]+/gu, '_');
  }
  return name;
};
const BLANK = 32;
const DELETE = 127;

/** The npm package that a file belongs to: the name under the nearest `node_modules`, '' for the application's own package. */
export const packageNameOf = (path: string): string => {
  const at = path.lastIndexOf(FOLDER);
  if (at < 0) return '';
  const start = at + FOLDER.length;
  let end = path.indexOf('/', start);
  if (end > 0 && path[start] === '@') end = path.indexOf('/', end + 1);
  return end < 0 ? '' : printable(path.slice(start, end));
};

/** Chooses packages by `statement_sites=`: without a list no package's texts get such sites. */
export const selectStatements = (list: string | undefined): ((name: string) => boolean) =>
  list === undefined ? () => false : selectPackages(list);

/**
 * Reads `instrument=`: names of packages separated by commas, where `app` is the application's own package.
 * Returns what decides whether a package's texts get sites; without a list every package's do.
 */
export const selectPackages = (list: string | undefined): ((name: string) => boolean) => {
  if (list === undefined || list === '') return () => true;
  const names = new SafeSet(list.split(',').map((name) => (name === 'app' ? '' : name)));
  return (name) => names.has(name);
};

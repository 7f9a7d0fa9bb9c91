// What scripts that count and check src/ read of it: its files, their imports and the types that they export.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*(['"])([^'"]+)\1|\bimport\s*\(\s*(['"])([^'"]+)\3|(?:^|\n)\s*import\s*(['"])([^'"]+)\5/g;
const EXPORTED_TYPE = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/** The TypeScript files of a folder and of the folders in it, by path relative to it with the ending .ts, each with its text. */
export const readSources = (folder) =>
  new Map(
    readdirSync(folder, { recursive: true })
      .filter((path) => /\.tsx?$/.test(path))
      .sort()
      .map((path) => [path.replace(/x$/, ''), readFileSync(join(folder, path), 'utf8')]),
  );

/** Whether a file is a unit test, or a helper of some. */
export const isForTests = (path) => path.endsWith('.test.ts') || path.split('/').includes('testing');

/** Every specifier that a text imports, with the 1-based line on which the specifier stands. */
export const importsOf = (text) =>
  [...text.matchAll(IMPORT)].map((match) => ({
    specifier: match[2] ?? match[4] ?? match[6],
    line: text.slice(0, match.index + match[0].length).split('\n').length,
  }));

/** The path of the file that a relative specifier of the file `path` names. */
export const pathOf = (path, specifier) => join(dirname(path), specifier).replace(/\.js$/, '.ts');

/** The paths of the files that a text imports by relative specifiers. */
export const targetsOf = (path, text) =>
  importsOf(text)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => pathOf(path, specifier));

/** The names of the types that a text exports. */
export const typesOf = (text) => [...text.matchAll(EXPORTED_TYPE)].map(([, name]) => name);

/** The paths that export a type of each name. */
export const exportersOf = (sources) => {
  const exporters = new Map();
  for (const [path, text] of sources)
    for (const name of typesOf(text)) exporters.set(name, [...(exporters.get(name) ?? []), path]);
  return exporters;
};

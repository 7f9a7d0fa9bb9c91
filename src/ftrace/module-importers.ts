import { fileURLToPath, pathToFileURL } from 'node:url';

/** A module, as its text and its loading tell of it. */
export interface LoadedModule {
  readonly file: string;
  /** npm package, '' for the application's own. */
  readonly package: string;
  /** The file that required it; absent: it was imported, or began by itself. */
  readonly importer?: string | undefined;
  /** What its import declarations name, as written. */
  readonly imports: readonly string[];
}

/**
 * The modules by which modules came: for each file the one whose import, or `require`, was the first to load it. Without an
 * entry: what the program began with, and what was loaded by `import()`.
 *
 * A relative name of a declaration leads to a file as it stands, with another ending, or to the `index` of a folder; the name of
 * a package to what was loaded first of it.
 * @param modules in the order in which they were loaded: one that imports another comes before it
 */
export function moduleImporters(modules: readonly LoadedModule[]): ReadonlyMap<string, string> {
  const ranks = new Map(modules.map(({ file }, rank) => [file, rank]));
  const stems = new Map(modules.toReversed().flatMap(({ file }) => stemsOf(file).map((stem) => [stem, file] as const)));
  const packages = new Map(modules.toReversed().map((module) => [module.package, module.file]));
  const importers = new Map<string, string>();
  const note = (file: string | undefined, importer: string): void => {
    const isLater = file !== undefined && (ranks.get(importer) ?? 0) < (ranks.get(file) ?? 0);
    if (isLater && !importers.has(file)) importers.set(file, importer);
  };
  for (const { file, importer, imports } of modules) {
    if (importer !== undefined) note(file, importer);
    for (const name of imports) note(fileOf(name, file, ranks, stems) ?? packages.get(packageOf(name)), file);
  }
  return importers;
}

/** The loaded file that a declaration names by a path or a file: URL. */
function fileOf(
  name: string,
  from: string,
  ranks: ReadonlyMap<string, number>,
  stems: ReadonlyMap<string, string>,
): string | undefined {
  if (!/^(\.{0,2}\/|file:)/.test(name) || !from.startsWith('/')) return undefined;
  try {
    const path = fileURLToPath(new URL(name, pathToFileURL(from)).href.replace(/[?#].*$/, ''));
    return ranks.has(path) ? path : (stems.get(path) ?? stems.get(withoutEnding(path)));
  } catch {
    return undefined;
  }
}

const withoutEnding = (path: string): string => path.replace(/\.[^./]*$/, '');

/** What a file can be called without its ending. */
function stemsOf(file: string): readonly string[] {
  const stem = withoutEnding(file);
  return stem.endsWith('/index') ? [stem, stem.slice(0, -'/index'.length)] : [stem];
}

/** `@scope/name` of `@scope/name/part`, `name` of `name/part`; `/`, which no package is called, of what is no package. */
const packageOf = (name: string): string => /^(@[^/]+\/[^/]+|[^@#./][^/:]*)(\/|$)/.exec(name)?.[1] ?? '/';

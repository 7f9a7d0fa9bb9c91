import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { FileFormat, ProgramFile } from '../../v8/loader/text-preparer.js';

/** The files that Node loads, by their endings: how it reads them, `unsaid` where the nearest package.json decides. */
const ENDINGS: Readonly<Record<string, { readonly format: FileFormat; readonly isTypeScript: boolean } | undefined>> = {
  '.js': { format: 'unsaid', isTypeScript: false },
  '.cjs': { format: 'commonjs', isTypeScript: false },
  '.mjs': { format: 'module', isTypeScript: false },
  '.ts': { format: 'unsaid', isTypeScript: true },
  '.cts': { format: 'commonjs', isTypeScript: true },
  '.mts': { format: 'module', isTypeScript: true },
};
/** Endings that look like these, of files that are declarations. */
const DECLARATIONS = /\.d\.[cm]?ts$/;
/** What a program can only load with a compiler. */
const COMPILED: readonly string[] = ['.tsx', '.jsx'];

const PACKAGES = 'node_modules';
/** Folders that hold no code of the application. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', '.hg', '.svn']);
/** Folders in `node_modules` itself that are of tools, and have no packages. */
const TOOLS: ReadonlySet<string> = new Set(['.bin', '.cache', '.vite', '.vite-temp']);
/** Folders of a package, beside its package.json, that no program loads. */
const NOT_LOADED: ReadonlySet<string> = new Set([
  'test',
  'tests',
  '__tests__',
  '__mocks__',
  'fixtures',
  'spec',
  'specs',
  'coverage',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  'bench',
  'docs',
  'doc',
  '.github',
]);
const TEST_FILE = /\.(?:test|spec)\.[cm]?[jt]s$/;
const NODE_SCRIPT = /^#!.*\bnode\b/;
/** Bytes of the beginning of a file without an ending that say what it is. */
const BEGINNING = 128;

/** What a walk tells. */
export interface FileVisitor {
  file(file: ProgramFile, bytes: number): void;
  /** Something that a program may want to load cannot be read or used. */
  problem(path: string, why: string): void;
}

/** What says why a file cannot be used: the system's word for it, or a sentence. */
export const errorText = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? (error as Error).message;

/** What the beginning of a file without an ending is. */
const isNodeScript = (path: string): boolean => {
  const fd = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(BEGINNING);
    return NODE_SCRIPT.test(bytes.toString('latin1', 0, readSync(fd, bytes)).split('\n', 1)[0] as string);
  } finally {
    closeSync(fd);
  }
};

/** Finds the files of applications and of their packages that Node may load, each once, by its path without links. */
export class ProgramFiles {
  readonly #visitor: FileVisitor;
  readonly #stripsTypes: boolean;
  readonly #seen = new Set<string>();
  /** The `type` of the package.json that is nearest to a folder. */
  readonly #types = new Map<string, FileFormat>();

  /** @param stripsTypes whether this Node runs TypeScript */
  constructor(visitor: FileVisitor, stripsTypes: boolean) {
    this.#visitor = visitor;
    this.#stripsTypes = stripsTypes;
  }

  /** Visits a folder and all in it. @param folder a folder that exists */
  walk(folder: string): void {
    this.#folder(realpathSync(folder));
  }

  #folder(folder: string): void {
    if (this.#seen.has(folder)) return;
    this.#seen.add(folder);
    let names: string[];
    try {
      names = readdirSync(folder).sort();
    } catch (error) {
      this.#visitor.problem(folder, errorText(error));
      return;
    }
    const isPackages = folder.endsWith(`/${PACKAGES}`);
    const isPackage = folder.includes(`/${PACKAGES}/`) && names.includes('package.json');
    for (const name of names) {
      if (SKIPPED.has(name) || (isPackages && TOOLS.has(name)) || (isPackage && NOT_LOADED.has(name))) continue;
      this.#entry(folder, name);
    }
  }

  #entry(folder: string, name: string): void {
    const path = join(folder, name);
    try {
      const stat = lstatSync(path);
      if (stat.isDirectory()) this.#folder(path);
      else if (stat.isSymbolicLink()) this.#link(folder, path);
      else if (stat.isFile()) this.#file(path, stat.size);
    } catch (error) {
      this.#visitor.problem(path, errorText(error));
    }
  }

  /** What a link leads to: a package elsewhere, as pnpm and workspaces have it, or a file. */
  #link(folder: string, path: string): void {
    const real = realpathSync(path);
    const stat = statSync(real);
    // A link to a folder around would lead to all that is there.
    if (stat.isFile()) this.#file(real, stat.size);
    else if (stat.isDirectory() && !`${folder}/`.startsWith(`${real}/`) && folder.includes(PACKAGES)) this.#folder(real);
  }

  #file(path: string, bytes: number): void {
    if (this.#seen.has(path)) return;
    this.#seen.add(path);
    const ending = extname(path);
    const isOwn = !path.includes(`/${PACKAGES}/`);
    if (DECLARATIONS.test(path) || (!isOwn && TEST_FILE.test(path))) return;
    if (COMPILED.includes(ending) && isOwn) this.#visitor.problem(path, 'Node cannot load it without a compiler');
    const known = ending === '' && isNodeScript(path) ? ENDINGS['.js'] : ENDINGS[ending];
    if (known === undefined) return;
    const { format, isTypeScript } = known;
    // Node refuses TypeScript of packages.
    if (isTypeScript && !isOwn) return;
    if (isTypeScript && !this.#stripsTypes) {
      this.#visitor.problem(path, `TypeScript, which Node ${process.version} cannot load without a compiler`);
      return;
    }
    this.#visitor.file({ path, format: format === 'unsaid' ? this.#typeOf(dirname(path)) : format, isTypeScript }, bytes);
  }

  #typeOf(folder: string): FileFormat {
    let type = this.#types.get(folder);
    if (type === undefined) {
      type = this.#readType(folder);
      this.#types.set(folder, type);
    }
    return type;
  }

  #readType(folder: string): FileFormat {
    try {
      const { type } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { type?: unknown };
      return type === 'module' || type === 'commonjs' ? type : 'unsaid';
    } catch {
      const around = dirname(folder);
      return around === folder || folder.endsWith(`/${PACKAGES}`) ? 'unsaid' : this.#typeOf(around);
    }
  }
}

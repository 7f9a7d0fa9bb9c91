import { compileGlob } from '../../base/glob.js';
import type { ScriptFacts } from './conditions.js';
import { type ParsedFile, parseStapFile, syntaxErrorText } from './parse-file.js';
import type { MacroDefinition } from './preprocessor.js';
import type { TapsetLibrary } from './semantic/tapset-library.js';
import type { ProbeAlias, StapFile } from './syntax-tree.js';

/** A file of tapsets: `.stp`, or `.stpm` with macros only. */
export interface TapsetText {
  readonly path: string;
  readonly text: string;
}

/** Gives the files of a folder of tapsets; called once, when a name is looked for that no folder before it has. */
export type TapsetFolder = () => readonly TapsetText[];

/** What defines a name, as it is written; what looks like one in a comment leads to a file that turns out not to have it. */
const DEFINITIONS = {
  functions: /\bfunction\s+([A-Za-z_]\w*)/g,
  globals: /\bglobal\s+([\s\S]*?)(?=;|\b(?:probe|function|global|private)\b|$)/g,
  aliases: /\bprobe\s+([A-Za-z_]\w*)[\w.\s]*\+?=/g,
  macros: /@define\s+([A-Za-z_]\w*)/g,
} as const;
type DefinitionKind = keyof typeof DEFINITIONS;

/** The names in one folder: which files seem to define them. */
interface FolderIndex extends Readonly<Record<DefinitionKind, ReadonlyMap<string, readonly TapsetText[]>>> {
  readonly files: readonly TapsetText[];
}

/**
 * Tapsets in folders. A file is read over quickly for the names that it defines, and parsed when one of them is first asked for.
 *
 * A function or global is taken from the first folder that has it. Of aliases those of a later folder come first, as the user
 * named it: they hide an alias of the same name before.
 */
export class TapsetFiles implements TapsetLibrary {
  /** What is wrong with the files that were parsed, as stap prints it. */
  readonly problems: string[] = [];
  readonly #indexes: (FolderIndex | undefined)[] = [];
  readonly #parsed = new Map<TapsetText, ParsedFile>();
  readonly macro = (name: string): MacroDefinition | undefined => this.#macroOf(name);

  readonly #folders: readonly TapsetFolder[];
  readonly #facts: ScriptFacts;

  constructor(folders: readonly TapsetFolder[], facts: ScriptFacts) {
    this.#folders = folders;
    this.#facts = facts;
  }

  fileOfFunction(name: string): StapFile | undefined {
    return this.#first('functions', name, (file) => file.functions.some((one) => one.name.text === name && !one.isPrivate));
  }

  fileOfGlobal(name: string): StapFile | undefined {
    return this.#first('globals', name, (file) => file.globals.some((one) => one.name.text === name && !one.isPrivate));
  }

  aliases(first: string): readonly { readonly alias: ProbeAlias; readonly file: StapFile }[] {
    const { test } = compileGlob(first);
    const found: { alias: ProbeAlias; file: StapFile }[] = [];
    const names = new Set<string>();
    for (const index of this.#all().reverse()) {
      const texts = new Set<TapsetText>();
      for (const [name, files] of index.aliases) {
        if (test(name)) for (const file of files) texts.add(file);
      }
      const here = [...texts].flatMap((text) => this.#aliasesOf(text, test));
      for (const one of here) if (!names.has(fullName(one.alias))) found.push(one);
      for (const { alias } of here) names.add(fullName(alias));
    }
    return found;
  }

  get pointNames(): readonly string[] {
    return this.#all().flatMap((index) => [...index.aliases.keys()]);
  }
  get functionNames(): readonly string[] {
    return this.#all().flatMap((index) => [...index.functions.keys()].filter((name) => !name.startsWith('_')));
  }

  #macroOf(name: string): MacroDefinition | undefined {
    for (let place = 0; place < this.#folders.length; place++) {
      for (const text of this.#index(place).macros.get(name) ?? []) {
        const macro = this.#parse(text).macros.get(name);
        if (macro !== undefined) return macro;
      }
    }
    return undefined;
  }

  #first(kind: DefinitionKind, name: string, has: (file: StapFile) => boolean): StapFile | undefined {
    for (let place = 0; place < this.#folders.length; place++) {
      for (const text of this.#index(place)[kind].get(name) ?? []) {
        const { file } = this.#parse(text);
        if (file !== undefined && has(file)) return file;
      }
    }
    return undefined;
  }

  #aliasesOf(text: TapsetText, isWanted: (first: string) => boolean): { alias: ProbeAlias; file: StapFile }[] {
    const { file } = this.#parse(text);
    if (file === undefined) return [];
    const aliases = file.aliases.filter(({ names }) => names.some(({ components: [first] }) => isWanted(first!.name)));
    return aliases.map((alias) => ({ alias, file }));
  }

  #parse(text: TapsetText): ParsedFile {
    const before = this.#parsed.get(text);
    if (before !== undefined) return before;
    const facts = this.#facts;
    const { macro } = this;
    const parsed = parseStapFile(text.path, text.text, { facts, macro, isPrivileged: true });
    this.#parsed.set(text, parsed);
    if (parsed.errors.length > 0) this.problems.push(syntaxErrorText(parsed, text.path));
    return parsed;
  }

  #all(): FolderIndex[] {
    return this.#folders.map((_, place) => this.#index(place));
  }
  #index(place: number): FolderIndex {
    this.#indexes[place] ??= indexOf(this.#folders[place]!());
    return this.#indexes[place]!;
  }
}

function indexOf(files: readonly TapsetText[]): FolderIndex {
  const index = { files, functions: new Map(), globals: new Map(), aliases: new Map(), macros: new Map() };
  for (const file of files) {
    const isMacros = file.path.endsWith('.stpm');
    for (const [kind, pattern] of Object.entries(DEFINITIONS)) {
      // A file's own macros are its own.
      if ((kind === 'macros') !== isMacros) continue;
      for (const [, written] of file.text.matchAll(pattern)) {
        for (const [name] of written!.matchAll(/[A-Za-z_]\w*/g)) addTo(index[kind as DefinitionKind], name, file);
      }
    }
  }
  return index;
}

function addTo(map: Map<string, TapsetText[]>, name: string, file: TapsetText): void {
  const files = map.get(name);
  if (files === undefined) map.set(name, [file]);
  else if (files.at(-1) !== file) files.push(file);
}

function fullName({ names }: ProbeAlias): string {
  return names
    .map(({ components }) => components.map(({ name, argument }) => `${name}(${argument?.value ?? ''})`).join('.'))
    .join();
}

/**
 * Whether a file of a folder of tapsets is used: those in subfolders are for another runtime, machine or kernel, unless they are
 * named as this one is.
 */
export function isTapsetUsed(path: string, { arch, kernelVersion }: Pick<ScriptFacts, 'arch' | 'kernelVersion'>): boolean {
  if (!/\.stpm?$/.test(path)) return false;
  const folders = path.split('/').slice(0, -1);
  return folders.every(
    (name) => name === 'linux' || name === arch || kernelVersion === name || kernelVersion.startsWith(`${name}.`),
  );
}

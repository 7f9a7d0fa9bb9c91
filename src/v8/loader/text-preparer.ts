import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { keyToHex } from './content-key.js';
import { decodeFunctions } from './function-table.js';
import type { LinkEvent } from './link-event.js';
import { LinkTable } from './link-table.js';
import { Linker, type ReadText, type SourceReading } from './linker.js';
import { HEAD_LENGTH, isScript, scriptForm } from './module-text.js';
import type { PreparedPack, TextToPrepare } from './prepared-pack.js';
import { stripTypes } from './typescript.js';

/** How Node will read a file: what its name and the nearest package.json say. `unsaid`: Node finds out from the text. */
export type FileFormat = 'commonjs' | 'module' | 'unsaid';

/** A file that a program may load. */
export interface ProgramFile {
  /** The path without links. */
  readonly path: string;
  readonly format: FileFormat;
  readonly isTypeScript: boolean;
}

/** Why a file could not be prepared. */
export interface NotPrepared {
  readonly why: string;
  readonly line?: number;
  readonly column?: number;
}

/** What was made of a file. */
export interface PreparedFile {
  readonly texts: readonly TextToPrepare[];
  readonly functions: number;
  readonly problem?: NotPrepared;
}

const NOTHING: PreparedFile = { texts: [], functions: 0 };

/** The ways in which the loader will parse a file's text, in the order in which it tries them. */
const readingsOf = ({ path, format }: ProgramFile): readonly SourceReading[] => {
  const commonjs: SourceReading = { type: 'commonjs', name: path };
  const module: SourceReading = { type: 'module', name: pathToFileURL(path).href };
  return { commonjs: [commonjs], module: [module], unsaid: [commonjs, module] }[format];
};

/**
 * Makes of files what a program's thread would make of them when it loads them, with V8's code of those that it compiles by
 * ModuleScripts. None of them runs.
 */
export class TextPreparer {
  readonly #linker: Linker;
  readonly #payloads = new Map<string, Uint8Array<ArrayBuffer>>();
  #reads: ReadText[] = [];
  #problem: NotPrepared | undefined;
  #functions = 0;

  /**
   * @param fentryFolder URL of the folder of fentry's own files
   * @param known texts that were prepared before need not be parsed again
   */
  constructor(fentryFolder: string, known: PreparedPack | undefined) {
    const payloads = this.#payloads;
    this.#linker = new Linker({
      realm: undefined,
      cache: {
        read(key) {
          const payload = known?.findContent(key);
          if (payload === undefined) return undefined;
          payloads.set(keyToHex(key), payload);
          return { payload, text: undefined, writtenAt: 0 };
        },
        write: (key, payload) => void payloads.set(keyToHex(key), payload as Uint8Array<ArrayBuffer>),
      },
      links: new LinkTable(LinkTable.create()),
      fentryFolder,
      selects: () => true,
      selectsStatements: () => false,
      hasModuleSites: false,
      onRead: (read) => this.#reads.push(read),
      onLink: (link) => this.#linked(link),
    });
  }

  /** Numbers that all functions so far have used. */
  get functions(): number {
    return this.#functions;
  }

  /** Whether the program's texts of this path get sites. */
  admits(path: string): boolean {
    return this.#linker.admits(path, '');
  }

  prepare(file: ProgramFile, content: string): PreparedFile {
    const source = file.isTypeScript ? stripTypes(content, file.path) : content;
    if (source === undefined) return { ...NOTHING, problem: { why: 'Node cannot strip its types' } };
    this.#reads = [];
    this.#problem = undefined;
    this.#payloads.clear();
    const made = this.#linker.link(source, file.path, readingsOf(file));
    const functions = made?.cells.count ?? 0;
    const last = this.#reads.at(-1);
    if (made !== undefined) this.#functions = Math.max(this.#functions, made.cells.first + functions);
    const texts = this.#reads.flatMap((read): TextToPrepare[] => {
      const payload = this.#payloads.get(keyToHex(read.key));
      if (payload === undefined) return [];
      const isCompiled = made !== undefined && read === last && !read.mayImport && isScript(source);
      const { placeKey, key, firstFunction } = read;
      const code = isCompiled ? codeOf(made.text, file.path) : undefined;
      const text = read.functionCount === 0 || made === undefined ? '' : code === undefined ? made.text : scriptForm(made.text);
      return [{ placeKey, key, payload, text, code, isCompiled: code !== undefined, firstFunction }];
    });
    return { texts, functions, ...(this.#problem !== undefined && { problem: this.#problem }) };
  }

  #linked({ parserError: why, functions, functionCount }: LinkEvent): void {
    if (why === undefined) return;
    const [{ line, column } = { line: 1, column: 1 }] = decodeFunctions(functions, functionCount);
    this.#problem = { why, line, column };
  }
}

/** V8's code of a text's module function and of what it calls at once; undefined if V8 refuses the text. */
const codeOf = (text: string, filename: string): Uint8Array | undefined => {
  try {
    return new Script(scriptForm(text), { filename, columnOffset: -HEAD_LENGTH }).createCachedData();
  } catch {
    return undefined;
  }
};

import { ERRNO, TraceError } from '../../src/base/errno.js';
import {
  type FileHandle,
  type FileOpener,
  O_RDONLY,
  O_WRONLY_APPEND,
  O_WRONLY_TRUNC,
  type TraceDirectory,
} from '../../src/control/tracefs/node.js';
import { lookup, mkdir, rmdir } from '../../src/control/tracefs/path.js';

/**
 * Runs the scripts of this folder against a tree in memory: one command a line, or several with `;` between them, of
 * echo, printf, cat, grep, sort, stat, mkdir, rmdir; `{ ...; } >`, `>`, `>>`, `|`, quotes, `$?`, loops over words that are a line
 * each, and files that are held open: `exec 5< trace`, `exec 5<&-`. What it prints is what bash and busybox print, errors
 * included.
 */
export class MiniShell {
  readonly #root: TraceDirectory;
  readonly #caller: FileOpener = { pid: 4711, comm: 'bash' };
  #output = '';
  #status = 0;
  #variables: Variables = {};
  /** Files that `exec N<` opened, by N. */
  readonly #descriptors = new Map<string, FileHandle>();

  constructor(root: TraceDirectory) {
    this.#root = root;
  }

  /** Everything that the script prints. */
  async run(script: string): Promise<string> {
    this.#output = '';
    for (const line of script.split('\n')) {
      if (line.trim() === '' || line.startsWith('#')) continue;
      for (const { body, variables } of unrolled(line)) {
        this.#variables = variables;
        for (const command of split(body, ';')) await this.#pipeline(command.trim());
      }
    }
    return this.#output;
  }

  async #pipeline(command: string): Promise<void> {
    if (command === '') return;
    const parts = split(command, '|');
    let input: string | undefined;
    for (const part of parts) input = await this.#command(part.trim(), input);
    this.#output += input ?? '';
  }

  async #command(text: string, input: string | undefined): Promise<string> {
    const held = /^exec (\d)<\s*(\S+)$/.exec(text);
    if (held !== null) return this.#hold(held[1]!, held[2]!);
    const redirected = /^(.*?)\s(>>?)\s*(\S+)$/s.exec(text);
    if (redirected === null || isQuoted(text, text.lastIndexOf('>'))) return this.#plain(this.#words(text), input);
    const [, inner = '', operator, path = ''] = redirected;
    const handle = await this.#open(this.#expanded(path), operator === '>>');
    if (handle === undefined) return '';
    const isGroup = inner.trimStart().startsWith('{');
    const writes = isGroup ? split(inner.replace(/^\s*\{|;?\s*\}\s*$/g, ''), ';') : [inner];
    try {
      for (const write of writes) await this.#writeTo(handle, this.#words(write.trim()));
    } finally {
      await handle.release();
    }
    return '';
  }

  async #hold(descriptor: string, path: string): Promise<string> {
    await this.#descriptors.get(descriptor)?.release();
    this.#descriptors.delete(descriptor);
    if (path === '&-') return '';
    const node = lookup(this.#root, path);
    if (node.kind !== 'file') throw new TraceError('EISDIR');
    this.#descriptors.set(descriptor, await node.open(O_RDONLY, this.#caller));
    return '';
  }

  async #open(path: string, append: boolean): Promise<FileHandle | undefined> {
    this.#status = 1;
    try {
      const node = lookup(this.#root, path);
      if (node.kind !== 'file') throw new TraceError('EISDIR');
      const handle = await node.open(append ? O_WRONLY_APPEND : O_WRONLY_TRUNC, this.#caller);
      this.#status = 0;
      return handle;
    } catch (error) {
      const { errno } = error as TraceError;
      this.#output += `${path}: ${ERRNO[errno === 'ENOENT' ? 'EACCES' : errno][1]}\n`;
      return undefined;
    }
  }

  async #writeTo(handle: FileHandle, words: readonly string[]): Promise<void> {
    const [name = '', ...args] = words;
    const text = name === 'printf' ? unescaped(args[0]!) : `${args.join(' ')}\n`;
    this.#status = 0;
    // bash flushes after each line
    for (const piece of text.match(/[^\n]*\n|[^\n]+/g) ?? []) {
      try {
        await handle.write(Buffer.from(piece));
      } catch (error) {
        this.#status = 1;
        this.#output += `${name}: write error: ${ERRNO[(error as TraceError).errno][1]}\n`;
        return;
      }
    }
  }

  async #plain(words: readonly string[], input: string | undefined): Promise<string> {
    const [name = '', ...args] = words;
    const status = this.#status;
    this.#status = 0;
    if (name === 'echo') return `${args.join(' ').replaceAll('$?', String(status))}\n`;
    if (name === 'sort') return `${input?.trimEnd().split('\n').sort().join('\n')}\n`;
    if (name === 'cat') return this.#cat(args);
    if (name === 'grep') return this.#grep(args, input);
    if (name === 'stat') return this.#stat(args.slice(2));
    if (name === 'mkdir' || name === 'rmdir') return this.#makeOrRemove(name, args[0]!);
    throw new Error(`the mini shell does not know ${name}`);
  }

  async #cat(paths: readonly string[]): Promise<string> {
    let text = '';
    for (const path of paths) text += (await this.#read(path, 'cat')) ?? '';
    return text;
  }

  async #read(path: string, by: string): Promise<string | undefined> {
    try {
      const node = lookup(this.#root, path);
      if (node.kind !== 'file') throw new TraceError('EISDIR');
      const handle = await node.open(O_RDONLY, this.#caller);
      try {
        const parts: Uint8Array[] = [];
        for (;;) {
          const part = await handle.read(4096);
          if (part.length === 0) return Buffer.concat(parts).toString('utf8');
          parts.push(part);
        }
      } finally {
        await handle.release();
      }
    } catch (error) {
      const { errno } = error as TraceError;
      this.#status = 1;
      const opened = errno === 'ENOENT' ? `can't open '${path}'` : 'read error';
      this.#output += `${by}: ${by === 'grep' ? path : opened}: ${ERRNO[errno][1]}\n`;
      return undefined;
    }
  }

  async #grep(args: readonly string[], input: string | undefined): Promise<string> {
    const patterns: string[] = [];
    const rest: string[] = [];
    const flags = new Set<string>();
    let after = 0;
    for (let i = 0; i < args.length; i++) {
      const arg = args[i]!;
      if (arg === '-e') patterns.push(args[++i]!);
      else if (arg === '-A') after = Number(args[++i]);
      else if (arg.startsWith('-')) for (const flag of arg.slice(1)) flags.add(flag);
      else rest.push(arg);
    }
    if (patterns.length === 0) patterns.push(rest.shift()!);
    // basic regular expressions: parentheses are plain, a backslash before a bracket makes that plain too
    const regex = new RegExp(patterns.map((pattern) => pattern.replace(/[()]/g, '\\$&')).join('|'), 'g');
    const texts = rest.length === 0 ? [input ?? ''] : await Promise.all(rest.map((path) => this.#read(path, 'grep')));
    if (texts.every((text) => text === undefined)) return '';
    const lines = texts.join('').split('\n').slice(0, -1);
    const isFound = (line: string | undefined): boolean => line !== undefined && line.search(regex) >= 0 !== flags.has('v');
    const found = lines.filter((_, i) => lines.slice(Math.max(0, i - after), i + 1).some(isFound));
    this.#status = found.length > 0 ? 0 : 1;
    if (flags.has('c')) return `${found.length}\n`;
    const shown = flags.has('o') ? found.flatMap((line) => line.match(regex) ?? []) : found;
    return shown.map((line) => `${line}\n`).join('');
  }

  #stat(paths: readonly string[]): string {
    return paths
      .map((path) => {
        const { kind, mode } = lookup(this.#root, path);
        const bits = [...mode.toString(2).padStart(9, '0')].map((bit, i) => (bit === '1' ? 'rwx'[i % 3] : '-')).join('');
        return `${kind === 'directory' ? 'd' : '-'}${bits} ${path}\n`;
      })
      .join('');
  }

  async #makeOrRemove(name: 'mkdir' | 'rmdir', path: string): Promise<string> {
    try {
      await { mkdir, rmdir }[name](this.#root, path);
      return '';
    } catch (error) {
      this.#status = 1;
      const what = name === 'mkdir' ? `can't create directory '${path}'` : `'${path}'`;
      return `${name}: ${what}: ${ERRNO[(error as TraceError).errno][1]}\n`;
    }
  }

  /** Words, without their quotes. */
  #words(text: string): string[] {
    return wordsOf(text).map((word) =>
      word.replace(/'([^']*)'|"([^"]*)"|[^'"]+/g, (plain, single?: string, double?: string) =>
        single === undefined ? this.#expanded(double ?? plain) : single,
      ),
    );
  }

  #expanded(text: string): string {
    return text.replace(/\$(\w+)/g, (plain, name: string) => this.#variables[name] ?? plain);
  }
}

/** The variables of loops, by name. */
type Variables = Readonly<Record<string, string>>;

const wordsOf = (text: string): string[] => [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word);

/** A line without its loops: the body of each, once for each word. */
function unrolled(line: string, variables: Variables = {}): { readonly body: string; readonly variables: Variables }[] {
  const [, variable, words = '', body = ''] = /^\s*for (\w+) in (.*?); do (.*); done$/.exec(line) ?? [];
  if (variable === undefined) return [{ body: line, variables }];
  return wordsOf(words).flatMap((word) => {
    const value = word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2');
    return unrolled(body, { ...variables, [variable]: value });
  });
}

/** printf's escapes: `\n`, `\t` and octal numbers. */
const unescaped = (text: string): string =>
  text
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
    .replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

const isQuoted = (text: string, at: number): boolean => (text.slice(0, at).match(/'/g) ?? []).length % 2 === 1;

/** Splits at a character that stands neither in quotes nor in braces. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  let quote = '';
  let depth = 0;
  for (const char of text) {
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === separator && depth === 0) {
      parts.push('');
      continue;
    }
    parts[parts.length - 1] += char;
  }
  return parts;
}

import { fileURLToPath, pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { Script } from 'node:vm';
import { readFileSync } from '../../base/untraced-fs.js';
import { mappedTexts } from './node-source-maps.js';

/** The property of the global object in which the script below finds the error while it runs. */
const UNCAUGHT = Symbol.for('fentry.uncaught');
const FRAME = /^ {4}at (?:.* \()?(.+?):(\d+):(\d+)\)?$/;
/** A built-in has no text: V8 shows the line of its caller. */
const BUILT_IN = /\(<anonymous>\)$/;
/** V8 shows the text that could not be parsed. */
const PARSER = /^ {4}at JSON\.parse \(<anonymous>\)$/;

/** What is used of a source map as Node keeps it: sources are absolute URLs. */
interface Payload {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

/** What is known of the texts with sites. */
export interface TextsOfStacks {
  /** The length of an original text in UTF-16 units, by the file name in stacks; undefined for a text without sites. */
  lengthOf(file: string): number | undefined;
  /** The names in stacks of all texts with sites. */
  names(): readonly string[];
  /** How many stacks were made so far. */
  stacksMade(): number;
  /** Whether a file is fentry's. */
  isOwn(file: string): boolean;
  /** A line of a stack with the column of the original text. */
  mapLocations(line: string): string;
}

/** Node makes the stack of this error from V8's frames: fentry's are among them, and columns count the sites. */
const MADE_BY_NODE = 'ERR_REQUIRE_ESM';

/** Corrects the stack of an uncaught error that Node has made past `Error.prepareStackTrace`. */
export function correctNodesStack(error: unknown, texts: Pick<TextsOfStacks, 'isOwn' | 'mapLocations'>): void {
  if (!types.isNativeError(error) || Object.getOwnPropertyDescriptor(error, 'code')?.value !== MADE_BY_NODE) return;
  try {
    const { stack } = error;
    if (typeof stack !== 'string') return;
    const lines = stack.split('\n').filter((line) => !texts.isOwn(FRAME.exec(line)?.[1] ?? ''));
    error.stack = lines.map((line) => (FRAME.test(line) ? texts.mapLocations(line) : line)).join('\n');
  } catch {
    // Node's stack is better than none.
  }
}

/**
 * Above the stack of an uncaught error, Node prints the line that threw, from V8's text, which has sites in it. This function
 * puts the original line above the stack instead. Call it when it is certain that the process ends.
 * @param isRejection the error came from a promise: then Node marks the place where it was made, else the statement that threw it
 */
export function showAuthorsLine(error: unknown, isRejection: boolean, texts: TextsOfStacks): void {
  if (!types.isNativeError(error) || isThrownByNode(error)) return;
  try {
    const before = texts.stacksMade();
    const { stack } = error;
    // V8 forgets the place of an error once its stack was made: what it shows of a rejection then is a line of Node's.
    if (isRejection && texts.stacksMade() === before) return;
    const place = typeof stack === 'string' ? placeOf(framesOf(stack, error.message)) : undefined;
    const excerpt = place && excerptOf(place, isRejection, texts);
    if (excerpt === undefined || !Reflect.set(error, 'stack', stack)) return;
    keepLine(error);
    error.stack = `${excerpt}\n${stack}`;
  } catch {
    // V8's line is better than none.
  }
}

/**
 * Whether `assert` threw it, or `emit('error')` without a listener, which Node notes on the error, or it is a warning that
 * `--throw-deprecation` throws: V8 shows their line.
 */
const isThrownByNode = (error: Error): boolean =>
  (process.throwDeprecation && Object.getOwnPropertyDescriptor(error, 'name')?.value === 'DeprecationWarning') ||
  Object.getOwnPropertyDescriptor(error, 'code')?.value === 'ERR_ASSERTION' ||
  Object.getOwnPropertySymbols(error).some(({ description }) => description === 'kEnhanceStackBeforeInspector');

/** The lines of a stack below the message, which may look like frames itself. */
function framesOf(stack: string, message: unknown): readonly string[] {
  const start = typeof message === 'string' ? stack.indexOf(message) + message.length : 0;
  return stack.slice(start).split('\n').slice(1);
}

interface Place {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** Where the stack begins; undefined if V8 shows another text. */
function placeOf(frames: readonly string[]): Place | undefined {
  if (PARSER.test(frames[0] ?? '')) return undefined;
  const [, name, line, column] = FRAME.exec(frames.find((frame) => !BUILT_IN.test(frame)) ?? '') ?? [];
  return name === undefined ? undefined : { name, line: Number(line), column: Number(column) };
}

/**
 * `file:line`, the line, and a mark below the place; undefined when that is not in a text with sites, nor in the source of one.
 */
function excerptOf(place: Place, isRejection: boolean, texts: TextsOfStacks): string | undefined {
  const { name, line, column } = place;
  const text = textOf(name, texts.lengthOf(name));
  const shown = (text ?? sourceOf(name, texts))?.split(LINE_END)[line - 1];
  if (shown === undefined) return undefined;
  const before = shown.slice(0, column - 1);
  const marked = isRejection ? before : before.replace(/\bthrow\b[^;{}]*$/, '');
  return `${name}:${line}\n${shown}\n${marked.replace(/[^\t]/g, ' ')}^\n${text === undefined ? AFTER_SOURCE : ''}`;
}

/** Node 20 has one line more below that of a source. */
const AFTER_SOURCE = process.version.startsWith('v20.') ? '\n' : '';

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

const readText = (name: string): string =>
  readFileSync(name.startsWith('file:') ? fileURLToPath(name) : name, 'utf8').replace(/^\ufeff/, '');

/** The text of a file, which may differ from what ran: a compiler's output, or a file that has changed since. */
function textOf(name: string, length: number | undefined): string | undefined {
  if (length === undefined) return undefined;
  const text = readText(name);
  return text.length === length ? text : undefined;
}

/** Units of a name's end that say which text was probably made of a source: that without the extension. */
const stem = (name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');

/**
 * The source of a text with sites, if Node shows places in sources (`--enable-source-maps`): it finds the line of an uncaught
 * error by V8's place, whose column counts the sites.
 */
function sourceOf(name: string, texts: TextsOfStacks): string | undefined {
  if ((process as { sourceMapsEnabled?: boolean }).sourceMapsEnabled !== true) return undefined;
  const url = name.startsWith('/') ? pathToFileURL(name).href : name;
  const made = texts.names();
  const likely = made.filter((one) => stem(one) === stem(name));
  for (const names of [likely, made]) {
    for (const { map } of mappedTexts(names)) {
      const { sources, sourcesContent } = map.payload as Payload;
      const at = sources.indexOf(url);
      if (at >= 0) return sourcesContent?.[at] ?? readText(name);
    }
  }
  return undefined;
}

/** Node adds no line to an error that has passed through a script with displayErrors: it already has its line. */
function keepLine(error: Error): void {
  Object.defineProperty(globalThis, UNCAUGHT, { value: error, configurable: true });
  try {
    new Script(`throw globalThis[Symbol.for('${UNCAUGHT.description}')]`).runInThisContext({ displayErrors: true });
  } catch {
    // Always: the error itself.
  } finally {
    Reflect.deleteProperty(globalThis, UNCAUGHT);
  }
}

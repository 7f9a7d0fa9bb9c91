import { visible, visibleLine } from '../base/visible.js';
import type { Frame, Place } from './place.js';

/** How places are shown. */
export interface PlaceStyle {
  /** The application's folder: files in it are named relative to it. Absent: paths are absolute. */
  readonly folder?: string | undefined;
  /** The name of this machine: places of files are links for a terminal (OSC 8). Absent: they are plain text. */
  readonly linkHost?: string | undefined;
  /** Whether the column is shown behind the line. */
  readonly columns?: boolean;
}

/** The end of a sequence of OSC. */
const ST = '\u001b\\';

/** A file as a person sees it: relative to the application's folder if it is in it, with control characters made visible. */
export function fileText(file: string, folder?: string): string {
  const start = folder === undefined || folder === '' || folder === '/' ? undefined : `${folder.replace(/\/+$/, '')}/`;
  return visible(start !== undefined && file.startsWith(start) ? file.slice(start.length) : file).replace(/[\n\t]/g, '_');
}

/** The folders before a package: where somebody has installed it. */
const INSTALLED = /^(?:file:\/\/)?\/.*\/node_modules\/(?=.)/;
/** A path with more folders is cut: its last ones tell files apart. */
const MOST_FOLDERS = 3;

/**
 * A place in a table, short: what `placeText` says of a file that is not in the application's folder loses the folders before its
 * package, or all but the last ones. `express/lib/router.js:12`, `…/x86_64-linux-gnu/libc.so.6`
 */
export function shortPlaceText(text: string): string {
  const inPackage = text.replace(INSTALLED, '');
  if (inPackage !== text) return inPackage;
  const parts = text.split('/');
  return text.startsWith('/') && parts.length > MOST_FOLDERS + 2 ? `…/${parts.slice(-MOST_FOLDERS).join('/')}` : text;
}

/** `src/cart.ts:12`: a place as a person sees it, and a terminal can open it. */
export function placeText({ file, line, column }: Place, { folder, linkHost, columns }: PlaceStyle = {}): string {
  const numbers = line === 0 ? '' : columns && column > 0 ? `:${line}:${column}` : `:${line}`;
  const text = fileText(file, folder) + numbers;
  return linkHost === undefined || !file.startsWith('/') ? text : linkedText(text, file, line, linkHost);
}

/** A text as a link to a line of a file on a machine. */
export const linkedText = (text: string, file: string, line: number, host: string): string =>
  `\u001b]8;;${fileLink(file, line, host)}${ST}${text}\u001b]8;;${ST}`;

/** Characters of a file's path that mean something else in a URL. */
const NO_PATH = /[%\\\n\r\t?#]/g;

/** The URL of a line of a file, as terminals take it: with the machine's name, and each odd byte in hex. */
function fileLink(file: string, line: number, host: string): string {
  const { pathname } = new URL(`file://${file.replace(NO_PATH, (char) => encodeURIComponent(char))}`);
  return `file://${host.replace(/[^\w.-]/g, '')}${pathname}${line === 0 ? '' : `#${line}`}`;
}

/** `handle [express]`: a function's name with its package. */
export const fullName = ({ name, package: from }: Pick<Frame, 'name' | 'package'>): string =>
  from === undefined || from === '' ? name : `${name} [${from}]`;

/** A function as lists of functions have it: its full name, made visible. */
export const nameText = (frame: Pick<Frame, 'name' | 'package'>): string => visibleLine(fullName(frame));

/** A column of names is not wider; a longer name moves the place behind it. */
const WIDEST_NAMES = 40;

/** The width of a column with the names of functions. */
export const widthOfNames = (frames: readonly Frame[]): number =>
  frames.reduce((width, frame) => Math.max(width, Math.min(WIDEST_NAMES, nameText(frame).length)), 0);

/** A function's name, and behind a column of a width its place, if it is known. */
export function placedName(frame: Frame, width: number, style: PlaceStyle): string {
  const name = nameText(frame);
  return frame.place === undefined ? name : `${name.padEnd(width)}  ${placeText(frame.place, style)}`;
}

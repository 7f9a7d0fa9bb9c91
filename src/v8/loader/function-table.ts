import { TextDecoder, TextEncoder } from 'node:util';
import { isModuleCode, type JsFunction, NO_SITE_REASONS, type NoSiteReason } from '../js-text.js';

/**
 * The functions of a text as bytes: what the program's thread sends to the control thread without reading it. Five words for
 * each function (start, end, line, column, kind | hasThis << 8 | reason << 16), then, in UTF-8, one line for each function: its
 * name and its parameters' names, separated by commas, after a tab `repack`, and after two the sites at statements. In the place
 * of a module's name stands what it imports, in URI code.
 */
const WORDS = 5;
const REASONS = Object.keys(NO_SITE_REASONS) as NoSiteReason[];

/** Before TextFunction.repack, and twice before the sites at statements, if there are any. No name has white space. */
const REPACK = '\t';
const STATEMENTS = '\t\t';
const lineOf = ({ name, params, repack, imports, statements }: JsFunction): string => {
  if (imports) return imports.map((word) => encodeURIComponent(word.replace(/\p{Cs}/gu, '?'))).join(',');
  const names = params.length === 0 ? name : `${name},${params.join(',')}`;
  if (repack === undefined && statements === undefined) return names;
  return `${names}${repack === undefined ? '' : REPACK + repack}${statements === undefined ? '' : STATEMENTS + statements}`;
};

/** The functions as bytes; the length is a multiple of 4. */
export const encodeFunctions = (functions: readonly JsFunction[]): Uint8Array<ArrayBuffer> => {
  const names = new TextEncoder().encode(functions.map(lineOf).join('\n'));
  const out = new Uint8Array(4 + functions.length * WORDS * 4 + ((names.length + 3) & ~3));
  const words = new Uint32Array(out.buffer, 0, 1 + functions.length * WORDS);
  words[0] = names.length;
  functions.forEach((one, index) => {
    const kind = one.kind | (one.hasThis ? 1 << 8 : 0) | ((one.reason ? REASONS.indexOf(one.reason) + 1 : 0) << 16);
    const at = 1 + index * WORDS;
    words[at] = one.start;
    words[at + 1] = one.end;
    words[at + 2] = one.line;
    words[at + 3] = one.column;
    words[at + 4] = kind;
  });
  out.set(names, words.byteLength);
  return out;
};

/** Reads `count` functions back. The bytes must start at a multiple of 4 in their buffer. */
export const decodeFunctions = (bytes: Uint8Array, count: number): JsFunction[] => {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, 1 + count * WORDS);
  const names = bytes.subarray(words.byteLength, words.byteLength + (words[0] as number));
  const lines = count === 0 ? [] : new TextDecoder().decode(names).split('\n');
  return lines.map((line, index) => {
    const at = 1 + index * WORDS;
    const [start, end, lineNumber, column, bits] = words.subarray(at, at + WORDS) as unknown as [
      number,
      number,
      number,
      number,
      number,
    ];
    const [head = '', statements] = line.split(STATEMENTS);
    const [names, repack] = head.split(REPACK);
    const listed = names!.split(',');
    const kind = bits & 0xff;
    const hasImports = isModuleCode(kind);
    const [name = '', ...params] = hasImports ? [] : listed;
    const reason = REASONS[(bits >>> 16) - 1];
    return {
      start,
      end,
      line: lineNumber,
      column,
      name,
      kind,
      params,
      hasThis: (bits & 0x100) !== 0,
      ...(repack !== undefined && { repack }),
      ...(hasImports && { imports: listed.filter((word) => word !== '').map(decodeURIComponent) }),
      ...(statements !== undefined && { statements }),
      ...(reason && { reason }),
    };
  });
};

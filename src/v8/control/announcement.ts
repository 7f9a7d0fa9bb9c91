import { createRequire } from 'node:module';
import type { AuthorsLines, LinkedText } from '../../ftrace/text.js';
import type { TextAnnouncement } from '../../port/port.js';
import { type JsText, textFunction } from '../js-text.js';
import { bodyName, type LinkEvent, readLinkEvent } from '../loader/link-event.js';
import { originalFunctions } from '../loader/original-functions.js';
import { authorsPlace, authorsSource, partsOfLine, readSourceMap, readText } from '../loader/source-map.js';
import { textAddress } from '../text-region.js';

/** The parser is a bundle that the control thread rarely needs. */
const parser = (): typeof import('../instrument/index.js') => createRequire(import.meta.url)('./instrument.cjs');

/** The announcement of a text that a thread has linked. */
export const announcement = (link: LinkEvent): TextAnnouncement => ({
  firstFunction: link.firstFunction,
  functionCount: link.functionCount,
  read: () => linkedText(readLinkEvent(link)),
});

function linkedText(text: JsText): LinkedText {
  const { functions, sourceMappingURL, parserError: _, ...rest } = text;
  const body = bodyOf(text);
  return {
    ...rest,
    base: textAddress(text.base),
    functions: functions.map((one) => textFunction(one, text)),
    ...(body && { body }),
    ...(sourceMappingURL !== undefined && { authors: () => originalFunctions(text), authorsLines: () => authorsLines(text) }),
    ...(sourceMappingURL !== undefined && { authorsSource: (path: string) => sourceOf(text, path) }),
    variables: (source, one, offset) => parser().visibleVariables(source, one, offset),
    moduleScope: (source, one) => parser().moduleScope(source, one),
    tryBlocks: (source, one) => parser().tryBlocks(source, one),
    whatFollows: (source, one, offset, places) => parser().whatFollows(source, one, offset, places),
  };
}

/** A file that is gone, or too large, is not known. */
function sourceOf(text: JsText, path: string): string | undefined {
  const map = readSourceMap(text)?.map;
  const source = map && authorsSource(map, path);
  if (source === undefined || source.text !== undefined) return source?.text;
  try {
    return readText(source.file);
  } catch {
    return undefined;
  }
}

function authorsLines(text: JsText): AuthorsLines | undefined {
  const map = readSourceMap(text)?.map;
  return (
    map && { partsOf: (path, line) => partsOfLine(map, path, line), placeOf: (line, column) => authorsPlace(map, line, column) }
  );
}

/**
 * A text's code outside of functions, which may call them; undefined if there is none. It has the name of the file, and begins
 * after the functions at the beginning of the text, because no two symbols share an address.
 */
function bodyOf({ file, length, functions }: JsText): LinkedText['body'] {
  let start = 0;
  for (const one of functions) {
    if (one.start > start) break;
    start = Math.max(start, one.end);
  }
  return start < length ? { name: bodyName(file), start } : undefined;
}

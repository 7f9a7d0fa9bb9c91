import { fileURLToPath } from 'node:url';
import { isOwnCode } from '../../answers/own-code.js';
import type { Frame, Place } from '../../answers/place.js';
import { attempt } from '../../base/attempt.js';
import { filePath, folderUrl } from '../../base/file-path.js';
import { packageNameOf } from '../loader/package-name.js';
import { authorsPosition, readSourceMap, readText, type SourceMap } from '../loader/source-map.js';
import type { RawFrame } from './stack-expression.js';

/** Where fentry's own code is, whatever folder that is in. */
const OWN_FOLDER = filePath(folderUrl(import.meta.url));
/** What a text says last: where its source map is. */
const SOURCE_MAPPING_URL = /\/\/[#@] sourceMappingURL=(\S+)\s*$/;
/** How much of a text's end is searched for that, in characters, unless the map itself stands there. */
const END = 4096;

/** The path of a text that has one, by its URL. */
export const pathOf = (url: string): string => (url.startsWith('file:') ? (attempt(() => fileURLToPath(url)) ?? url) : url);

/** Finds the author's place of what is on a stack. Each text's source map is read once. */
export class AuthorFrames {
  readonly #maps = new Map<string, SourceMap | undefined>();
  readonly #known = new Map<string, string>();

  /** Source maps that a thread knows of, by the URLs of texts: of a text that was compiled in memory the file has none. */
  know(sourceMaps: ReadonlyMap<string, string>): void {
    for (const [url, map] of sourceMaps) this.#known.set(pathOf(url), map);
  }

  /** The author's place of a place in a loaded text. */
  place(url: string, line: number, column: number): Place {
    const file = pathOf(url);
    const map = this.#map(file);
    const place = map && authorsPosition(map.map, line, column - 1);
    return place === undefined ? { file, line, column } : { ...place, column: place.column + 1 };
  }

  frame({ name, url, line, column }: RawFrame): Frame {
    const place = url === '' ? undefined : this.place(url, line, column);
    const isNode = url === '' || url.startsWith('node:');
    const path = pathOf(url);
    const own = path.startsWith(OWN_FOLDER) ? 'fentry' : '';
    const from = isNode ? 'node' : packageNameOf(place?.file ?? '') || packageNameOf(path) || own;
    return {
      name: name === '' ? '<anonymous>' : name,
      ...(place && { place }),
      ...(from !== '' && { package: from }),
      isOwn: isOwnCode({ package: from, file: place?.file }),
    };
  }

  #map(file: string): SourceMap | undefined {
    if (!file.startsWith('/')) return undefined;
    if (!this.#maps.has(file)) this.#maps.set(file, mapOf(file, this.#known.get(file)));
    return this.#maps.get(file);
  }
}

/** The source map that a text has, by what is known of it, or else by the last line of its file. */
function mapOf(file: string, known: string | undefined): SourceMap | undefined {
  if (known !== undefined) return readSourceMap({ file, length: 0, sourceMappingURL: known });
  const text = attempt(() => readText(file));
  if (text === undefined) return undefined;
  const at = text.lastIndexOf('sourceMappingURL=');
  const isInline = text.startsWith('data:', at + 'sourceMappingURL='.length);
  if (at < 0 || (!isInline && text.length - at > END)) return undefined;
  const sourceMappingURL = SOURCE_MAPPING_URL.exec(text.slice(Math.max(0, at - 4)))?.[1];
  return sourceMappingURL === undefined ? undefined : readSourceMap({ file, length: text.length, sourceMappingURL });
}

import { filePath } from '../../base/file-path.js';
import type { StackSite } from './capture-stack.js';
import { startsWith } from './primordials.js';
import type { Texts } from './texts.js';

/** A frame of a stack that says its line. */
export interface PlacedSite extends StackSite {
  getLineNumber(): number;
  getColumnNumber(): number;
  /** Where its function begins. */
  getEnclosingLineNumber(): number;
  getEnclosingColumnNumber(): number;
}

/** `file:line:column`; of a file its path. */
export const placeWords = (file: string, line: number, column: number): string =>
  `${startsWith(file, 'file:') ? filePath(file) : file}:${line}:${column}`;

/** Where a frame stands in the text as it was loaded; undefined: it has no file. */
export function sitePlace(
  texts: Pick<Texts, 'at'>,
  site: PlacedSite,
): { readonly file: string; readonly line: number; readonly column: number } | undefined {
  const file = site.getFileName();
  if (typeof file !== 'string') return undefined;
  const line = site.getLineNumber();
  const column = site.getColumnNumber();
  const text = texts.at(site);
  const place = text?.framePlace?.(line, column);
  return { file, line: place?.line ?? line, column: place?.column ?? text?.originalColumn(line, column) ?? column };
}

/** Where the function of a frame begins, as `file:line:column`; '' if it has no file. */
export function functionWords(texts: Pick<Texts, 'at'>, site: PlacedSite): string {
  const file = site.getFileName();
  if (typeof file !== 'string') return '';
  const line = site.getEnclosingLineNumber();
  const column = site.getEnclosingColumnNumber();
  return placeWords(file, line, texts.at(site)?.originalColumn(line, column) ?? column);
}

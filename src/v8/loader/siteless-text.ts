import { basename } from 'node:path';
import { symbolPart } from '../instrument/symbol-text.js';
import { FUNCTION_KIND, type JsFunction, type JsText, type NoSiteReason } from '../js-text.js';
import { encodeFunctions } from './function-table.js';
import type { LinkEvent } from './link-event.js';

/** A text in which nothing can be patched. */
export interface SitelessText
  extends Pick<JsText, 'file' | 'module' | 'length' | 'base' | 'firstFunction' | 'parserError'>,
    Partial<Pick<JsFunction, 'name' | 'line' | 'column'>> {
  readonly reason: NoSiteReason;
}

/** The name of such a text's function: the file's, if nothing better is known. */
export const sitelessName = (name: string | undefined, file: string): string => symbolPart(name || basename(file));

/** Announces such a text as one function that is as long as the text; its name is the file's, if nothing better is known. */
export const sitelessText = ({ reason, name, line = 1, column = 1, ...text }: SitelessText): LinkEvent => ({
  ...text,
  functionCount: 1,
  functions: encodeFunctions([
    {
      start: 0,
      end: text.length,
      line,
      column,
      name: sitelessName(name, text.file),
      kind: FUNCTION_KIND.function,
      params: [],
      hasThis: false,
      reason,
    },
  ]),
});

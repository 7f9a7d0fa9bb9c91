import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import type { ScriptText } from '../../script/compiler.js';

/** The languages of scripts, by the names of their commands. */
export const LANGUAGES = ['bpftrace', 'stap'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A script with its language. */
export interface HeadedScript extends ScriptText {
  readonly language: Language;
}

/** Begins the line that fentry's own verbs put before a script: it is no line of the script. */
const OWN = '#!fentry ';

const FORM = '`#!/usr/bin/env bpftrace` or `#!/usr/bin/env stap`, with options behind it';

/**
 * Words as a shell takes them apart: blanks, both kinds of quotes, backslashes. Nothing is expanded.
 * @returns undefined if a quote is open at the end
 */
export function shellWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (quote === "'") {
      if (c === "'") quote = '';
      else word += c;
    } else if (c === '\\' && (quote === '' || '"\\$`'.includes(line[i + 1] ?? ''))) {
      word = (word ?? '') + (line[++i] ?? '');
    } else if (c === quote) quote = '';
    else if (quote !== '') word += c;
    else if (c === '"' || c === "'") {
      quote = c;
      word ??= '';
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + c;
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

const isLanguage = (word: string | undefined): word is Language => LANGUAGES.some((one) => one === word);

/**
 * What is written to `source`: the first line says the language and its options, `#!/usr/bin/env bpftrace OPTIONS`, quoted as for
 * a shell. `#!fentry ["LANGUAGE", "FILE", "OPTION", ...]` is the same and no line of the script, whose file is FILE.
 * @throws TraceError EINVAL
 */
export function headedScript(written: string): HeadedScript {
  const [, line = '', rest = ''] = /^(#![^\n]*)(?:\n|$)([\s\S]*)$/.exec(written) ?? [];
  if (line.startsWith(OWN)) return ofVerb(line.slice(OWN.length), rest);
  const words = shellWords(line.slice(2)) ?? [];
  const at = words.findIndex((word) => isLanguage(word.slice(word.lastIndexOf('/') + 1)));
  if (at < 0) throw new TraceError('EINVAL', `the first line of a script is ${FORM}`);
  const language = words[at]!.slice(words[at]!.lastIndexOf('/') + 1) as Language;
  return { language, file: '<input>', words: words.slice(at + 1), text: written };
}

/** The line that a verb puts before a script: JSON, because an argument may have line feeds. */
function ofVerb(json: string, text: string): HeadedScript {
  const words: unknown = attempt(() => JSON.parse(json));
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) {
    const [language, file = '<input>', ...options] = words as readonly string[];
    if (isLanguage(language)) return { language, file, words: options, text };
  }
  throw new TraceError('EINVAL', `behind ${OWN.trim()} stands ["${LANGUAGES.join('" or "')}", "FILE", "OPTION", ...]`);
}

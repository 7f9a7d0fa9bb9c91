import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ScriptRefusal } from '../../src/script/compiler.js';
import { runScript } from '../../src/script/runtime/testing/script-run.js';
import { ENDINGS, type Language, recordedWords, scriptFolder } from './script-words.js';

/** The folder of scripts that are refused, or end by an error: what was recorded of them (record-scripts.mjs). */
const folder = (language: Language): string => scriptFolder(`${language}/errors`);

const MEMORY = 'no address of memory is read';
const SIMILAR = 'it names similar functions of its own tapsets';
const FIRST = 'it tells of another fault first';
const MORE = 'it says more: what to use instead';
/** Scripts of which something else is said, and why. */
const APART: Readonly<Record<string, string>> = {
  'stap/abort': 'abort() is an error',
  'stap/actions-of-begin-limited': 'a block is no place of its own',
  'stap/alias-itself': 'it names the point before the alias',
  'stap/cast-without-type': 'a value has its own type: @cast looks for none',
  'stap/histogram-bad-bounds': 'the bounds are looked at before the script runs',
  'stap/memory-bad-address': MEMORY,
  'stap/memory-bad-read': MEMORY,
  'stap/memory-bad-read-caught': MEMORY,
  'stap/overload': 'there are no cycles to count',
  'stap/regex-bad': 'V8 says what is wrong with the expression',
  'stap/remainder-by-zero': 'it names the operator',
  'stap/several-errors': FIRST,
  'stap/unresolved-function': SIMILAR,
  'stap/unresolved-function-far': SIMILAR,
  'bpftrace/begin-twice': 'it says where',
  'bpftrace/interval-zero': 'it is refused before it is attached',
  'bpftrace/map-keys-full': 'its loop has more actions than a handler may have',
  'bpftrace/several-errors': FIRST,
  'bpftrace/syntax-string-open': 'the line feed is no part of what is shown',
  'bpftrace/system-safe': MORE,
  'bpftrace/tuple-as-key': 'only the map is shown',
  'bpftrace/unknown-identifier': MORE,
};

/** The first line that says what is wrong, without the name of the file. */
const complaint = (text: string): string =>
  (/^.*\b(?:semantic error|parse error|ERROR): .*$/m.exec(text)?.[0] ?? '').replace(/[\w./<>-]*:(?=\d+[:-])/, '');

function said(language: Language, text: string): string {
  try {
    const { err } = runScript(language, text, recordedWords(text));
    return complaint(err);
  } catch (error) {
    if (error instanceof ScriptRefusal) return complaint(error.message);
    throw error;
  }
}

for (const [language, ending] of Object.entries(ENDINGS) as [Language, string][]) {
  for (const file of readdirSync(folder(language)).filter((name) => name.endsWith(ending))) {
    const name = file.slice(0, -ending.length);
    const recorded = `${folder(language)}${name}.err`;
    test(`${language} says of ${name} what the real one says`, { skip: APART[`${language}/${name}`] ?? false }, () => {
      const expected = existsSync(recorded) ? complaint(readFileSync(recorded, 'utf8')) : '';
      assert.equal(said(language, readFileSync(`${folder(language)}${file}`, 'utf8')), expected);
    });
  }
}

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runScript } from '../../src/script/runtime/testing/script-run.js';
import { ENDINGS, type Language, recordedWords, scriptFolder } from './script-words.js';

const TIES = 'entries of equal values come in the order of the hashes of the kernel';
const OPTIONS = 'its words are options of a command';
/** Scripts of which the runtime alone prints something else, and why. */
const APART: Readonly<Record<string, string>> = {
  'stap/aggregates-arrays': TIES,
  'stap/queue-of-words': TIES,
  'bpftrace/hist-loop': TIES,
  'stap/target-none': 'there is a program',
  'bpftrace/arguments': OPTIONS,
  'bpftrace/builtins': 'it prints its own name and pid',
};

/** What a script prints, with what bpftrace itself prints before it. */
function printed(language: Language, text: string): string {
  const { out, code } = runScript(language, text, recordedWords(text));
  if (language === 'stap') return out;
  const probes = code.handlers.length;
  return `Attaching ${probes} probe${probes === 1 ? '' : 's'}...\n${out}`;
}

for (const [language, ending] of Object.entries(ENDINGS) as [Language, string][]) {
  const scripts = readdirSync(scriptFolder(language)).filter((name) => name.endsWith(ending));
  let compared = 0;
  for (const file of scripts) {
    const name = file.slice(0, -ending.length);
    const recorded = `${scriptFolder(language)}${name}.out`;
    const reason = APART[`${language}/${name}`] ?? (existsSync(recorded) ? false : 'nothing is recorded');
    test(`${language} prints ${name} as the real one`, { skip: reason }, (context) => {
      const text = readFileSync(`${scriptFolder(language)}${file}`, 'utf8');
      let out: string;
      try {
        out = printed(language, text);
      } catch (error) {
        context.skip(`it is refused: ${String((error as Error).message).split('\n')[0]}`);
        return;
      }
      assert.equal(out, readFileSync(recorded, 'utf8'));
      compared++;
    });
  }
  test(`most scripts of ${language} were compared`, () => {
    assert.ok(compared >= scripts.length * 0.75, `${compared} of ${scripts.length}`);
  });
}

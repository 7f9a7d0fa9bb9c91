import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface Question {
  readonly title: string;
  /** Public reports of such a problem. */
  readonly reports?: readonly string[];
  readonly commands: readonly string[];
}

interface Answered {
  readonly failure: string | undefined;
}

const scriptOf = (name: string): Promise<unknown> => import(pathToFileURL(resolve('scripts/questions', name)).href);
const { QUESTIONS } = (await scriptOf('questions.mjs')) as { QUESTIONS: readonly Question[] };
const { ask } = (await scriptOf('ask.mjs')) as { ask: (question: Question) => Promise<Answered> };

test('docs/questions.md has every question, and what is typed to answer it', () => {
  const page = readFileSync('docs/questions.md', 'utf8');
  const missing = QUESTIONS.flatMap(({ title, commands }) => [
    `### ${title}\n`,
    ...commands.map((command) => `\n$ ${command}\n`),
  ]);
  assert.deepEqual(
    missing.filter((text) => !page.includes(text)),
    [],
  );
});

describe('a question is answered with the function and its place', { concurrency: 3 }, () => {
  for (const question of QUESTIONS) {
    const title = [question.title, ...(question.reports ?? [])].join(' ');
    test(title, async () => assert.equal((await ask(question)).failure, undefined));
  }
});

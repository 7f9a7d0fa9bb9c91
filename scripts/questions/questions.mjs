// The questions of docs/questions.md: the program that each is asked of (a folder of test/cases/fixtures), how it is started, its
// load, what is typed, and what the output has to contain. `reports` are public reports of such a problem.
import { CALLS } from './calls.mjs';
import { MEMORY } from './memory.mjs';
import { SLOW } from './slow.mjs';
import { STARTS } from './starts.mjs';
import { STUCK } from './stuck.mjs';
import { VALUES } from './values.mjs';

export const CHAPTERS = [
  { title: 'It hangs', questions: STUCK },
  { title: 'It is slow', questions: SLOW },
  { title: 'It needs more and more memory', questions: MEMORY },
  { title: 'It starts slowly', questions: STARTS },
  { title: 'It does what it should not', questions: CALLS },
  { title: 'What does it do?', questions: VALUES },
];

export const QUESTIONS = CHAPTERS.flatMap(({ questions }) => questions);

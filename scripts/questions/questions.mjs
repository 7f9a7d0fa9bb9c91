// The questions of docs/questions.md: the program that each is asked of (a folder of test/cases/fixtures), how it is started, its
// load, what is typed, and what the output has to contain. `reports` are public reports of such a problem.
import { CALLS } from './calls.mjs';
import { STARTS } from './starts.mjs';
import { STUCK } from './stuck.mjs';

export const CHAPTERS = [
  { title: 'It hangs', questions: STUCK },
  { title: 'It starts slowly', questions: STARTS },
  { title: 'It does what it should not', questions: CALLS },
];

export const QUESTIONS = CHAPTERS.flatMap(({ questions }) => questions);

// Questions about a program's start.
import { once } from './loads.mjs';

export const STARTS = [
  {
    title: 'It starts slowly: which modules take the time, and who imports them?',
    reports: [
      'https://github.com/jestjs/jest/issues/11234',
      'https://github.com/vitest-dev/vitest/pull/8027',
      'https://github.com/tessel/t2-cli/issues/490',
      'https://github.com/adobe/helix-cli/issues/945',
    ],
    program: 'barrel-start',
    commands: ['fentry record --modules node cli.mjs', 'fentry report --modules'],
    shows: [
      /^ +\S+ m?s +\S+ [mu]?s +\S+ [mu]?s {6}lib\/part5\.mjs\n.* {8}lib\/tables\.mjs$/m,
      /^ +2\d\d\.\d+ ms +2\d\d\.\d+ ms .* {6}lib\/part7\.mjs$/m,
      / {4}lib\/index\.mjs$/m,
    ],
    says: 'The tree of imports: a module stands below the one that brought it.',
    next: '`lib/tables.mjs` and `lib/part7.mjs` take the time, and both come by the barrel `lib/index.mjs`, of which `cli.mjs` needs another part: [more](modules.md).',
  },
  {
    title: 'Only the first request is slow: what does it load?',
    reports: [
      'https://github.com/serverless-nextjs/serverless-next.js/issues/547',
      'https://github.com/Azure/azure-functions-host/issues/1340',
    ],
    program: 'lazy-require',
    start: 'fentry record --own node server.cjs',
    load: once('/a'),
    isStopped: true,
    commands: ['fentry report --trace'],
    shows: [/createServer@\d+\(\) \{\n(.*\n)?.* pdf\.cjs\(\) \{\n.* fonts\.cjs\(\) \{\n.* loadFonts\(\);/],
    says: 'A module is a function with the file’s name, so the graph shows where it is loaded.',
    next: '`require` at the top of the file moves this to the start.',
  },
];

// Questions about a process that does not go on.
import { once, post } from './loads.mjs';

const WORD = 'report-2024-quarter-final-version-reviewed-by-ann.xlsx!';

export const STUCK = [
  {
    title: 'It is at 100 % CPU and answers nothing: where is it?',
    reports: ['https://github.com/nodejs/node/issues/8735', 'https://github.com/markedjs/marked/issues/497'],
    program: 'regex-hang',
    start: 'node server.mjs',
    load: post({ id: 201, text: `see ${WORD} thanks` }),
    commands: ['fentry bt $PID'],
    shows: [/mailLink\(.*lib\/markup\.mjs:1[67]/, /saveComment\(.*lib\/comments\.mjs:6/, /reviewed-by-ann\.xlsx!/, /201/],
    says: 'The process was started without fentry. `bt` prints what each thread does now, with arguments; the function that runs is the first line.',
    next: 'The regular expression of `mailLink` backtracks on that word. `--locals` shows the variables too.',
  },
  {
    title: 'It hangs, and uses no CPU: what does it wait for?',
    reports: ['https://github.com/deftai/directive/issues/1864'],
    program: 'main-waits',
    start: 'node main.mjs',
    commands: ['fentry bt $PID'],
    shows: [/Atomics\.wait/, /runPromiseSync\(.*lib\/run-promise-sync\.mjs:9/, /release\(.*lib\/release\.mjs:4/],
    says: 'Where a thread waits outside of JavaScript, the first function says in what.',
    next: 'The main thread waits for a promise that only the main thread could settle.',
  },
  {
    title: 'Which child process does it wait for?',
    reports: ['https://github.com/louislam/uptime-kuma/pull/4123', 'https://github.com/reflectt/reflectt-node/pull/279'],
    program: 'exec-sync',
    start: 'node server.mjs',
    load: once('/sweep'),
    commands: ['fentry bt $PID'],
    shows: [/^main thread \(\d+\): waits for its child process \d+ \(.*sleep 20 && echo open 1\)$/m],
    says: '`execSync` and its like hold the event loop until the child has ended.',
    next: 'Put `exec` in place of `execSync`: then only this request waits.',
  },
  {
    title: 'The pool is probably full: who holds its connections, and who wants another one?',
    reports: [
      'https://github.com/knex/knex/issues/1909',
      'https://github.com/knex/knex/issues/1040',
      'https://github.com/prisma/orm/issues/13353',
    ],
    program: 'pool-deadlock',
    start: 'node main.mjs',
    commands: ['fentry bt --waiting $PID'],
    shows: [
      /^4 × query, waiting at lib\/db\.mjs:8\n.*pool\.acquire\(\)/m,
      /< checkDiscount +lib\/catalog\.mjs:9\n.*< priceOf +lib\/catalog\.mjs:4\n.*< addLine +lib\/orders\.mjs:13\n[\s\S]*< transaction +lib\/db\.mjs:20/,
      /^2 × transaction, waiting at lib\/db\.mjs:17$/m,
    ],
    says: 'A tree of suspended async calls begins with an innermost `await`. Below stands what waits for it, up to the request.',
    next: 'Four transactions have a connection each, and `checkDiscount` asks for a second one: hand `trx` on. [More](waiting.md).',
  },
  {
    title: 'A request is never answered: which promise is not settled?',
    reports: ['https://github.com/feathersjs/feathers/issues/1290', 'https://github.com/JaniAnttonen/winston-loki/issues/195'],
    program: 'never-settled',
    start: 'node server.mjs',
    load: once('/one', '/Two'),
    commands: ['fentry bt --waiting --locals $PID'],
    shows: [/updateChunk.* lib\/uploads\.mjs:4\n.*await acknowledged\(id\)/, /"\/Two"/, /server\.mjs:4/],
    says: '`--locals` adds the variables of the calls.',
    next: 'Nothing settles the promise of `acknowledged("/Two")`.',
  },
];

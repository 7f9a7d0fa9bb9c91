// Questions about a program that needs more and more memory.
import { again } from './loads.mjs';

export const MEMORY = [
  {
    title: 'The heap grows: what becomes more, and who holds it?',
    reports: [
      'https://github.com/expressjs/express/issues/2248',
      'https://github.com/request/request/issues/518',
      'https://github.com/mswjs/msw/issues/2735',
    ],
    program: 'listeners',
    start: 'node --inspect-port=0 server.mjs',
    load: again('/a', '/b'),
    commands: ['fentry heap -d 2 $PID'],
    lines: 14,
    shows: [
      /^ +\+\S+ \S+ {2}store of lib\/store\.mjs -> EventEmitter#_events -> Object#disconnect -> Array\[\*\]\n +\+\d+ <anonymous>\(\) lib\/session\.mjs:5$/m,
      /^ +\+\S+ \S+ +[\d,]+ -> [\d,]+ .* <anonymous>\(\) {2}lib\/session\.mjs:5$/m,
    ],
    says: 'The objects of two moments are compared by their constructors, and for what has become more it says how it is held. No preparation is needed.',
    next: '`store` in `lib/store.mjs` has one listener for each request, from `lib/session.mjs:5`, and nobody removes them. [More](memory.md).',
  },
  {
    title: 'The cache has one entry, and the heap grows: what holds the rest?',
    reports: ['https://github.com/apmantza/pi-lens/issues/2073', 'https://github.com/twentyhq/twenty/pull/25659'],
    program: 'graph-cache',
    start: 'node --import fentry server.mjs',
    load: again('/project'),
    commands: ['fentry heap -d 2'],
    lines: 15,
    shows: [
      /^ +\+\S+ \S+ {2}.*TimersList#_idleNext\n +\+\d+ evict\(\) lib\/graphs\.mjs:9$/m,
      /^ +\+\S+ \S+ +[\d,]+ -> [\d,]+ .* Graph {2}lib\/graph\.mjs:2\n.*-> Timeout#_onTimeout -> evict\(\) lib\/graphs\.mjs:9 \(variable entry\) -> Object#graph$/m,
    ],
    says: 'Closures hold the variables that they use; timers hold closures.',
    next: 'The timer of the replaced entry is not cleared: `lib/graphs.mjs:8` clears that of the new one. `fentry handles` counts the timers.',
  },
  {
    title: 'It collects garbage all the time: which functions allocate?',
    program: 'late-response',
    start: 'node --inspect-port=0 server.mjs',
    load: again('/report'),
    commands: ['fentry alloc -d 2 $PID'],
    shows: [/^main thread: .* allocated in /m, / \S+ {2,}lib\/(?:framework|report)\.mjs:\d+$/m],
    says: 'V8 samples what is allocated, for the first half of the time all of it, then what lives on.',
    next: '`--flame-graph` prints stacks with bytes for a viewer, `--kept` puts first what lives on: [more](memory.md).',
  },
];

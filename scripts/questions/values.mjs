// Questions about values and errors.
import { again } from './loads.mjs';

export const VALUES = [
  {
    title: 'Who calls this function, and with what?',
    program: 'n-plus-one',
    start: 'node --import fentry server.mjs',
    load: again('/'),
    commands: ['fentry start -p function -l query -O func-args -O places; sleep 0.3; fentry stop; fentry show | tail -3'],
    shows: [/query\(sql="SELECT \* FROM authors WHERE id = \d"\) \(lib\/db\.mjs:3\) <-withAuthor \(lib\/posts\.mjs:8\)/],
    says: '`-l` takes names with `*` too. Behind the arrow is the caller.',
    next: '`-O func_stack_trace` prints the whole stack of each call.',
  },
  {
    title: 'What is the value of a variable at this line?',
    program: 'sync-files',
    start: 'node --import fentry server.mjs',
    load: again('/'),
    commands: [
      'fentry probe "renderPage:2 key=key:string data=data:string" > /dev/null; fentry start -e "probe:*"; sleep 0.3; fentry show | tail -2; fentry reset; fentry probe -d "*"',
    ],
    shows: [/renderPage_L2: .* key="\["home",\{"user":"ann","at":[\d.]+\}\]"/],
    says: 'A probe reads variables at a function’s line, counted from its first, in the running process.',
    next: '`fentry probe -V renderPage:2` lists the variables that can be read there, `-L renderPage` the lines: [more](probes.md#fentry-probe).',
  },
  {
    title: 'It gives a default value, and nobody logs an error: where was it thrown?',
    reports: ['https://github.com/anomalyco/opencode/issues/29915', 'https://github.com/ybogdanov/node-sync/pull/53'],
    program: 'swallowed',
    start: 'node --import fentry server.mjs',
    load: again('/'),
    commands: [
      'fentry start -e exceptions:caught_exception -O places; sleep 0.3; fentry stop; fentry show | tail -1 | cut -c 52-',
    ],
    shows: [
      /caught_exception: TypeError: .*reading 'value'\) at=lib\/rates\.mjs:4:26 catcher=priceOf\+\S+ \(lib\/prices\.mjs:5\)/,
    ],
    says: 'An event for each exception that a `catch` of the program takes: `at` is where it was made, `catcher` who took it.',
    next: '`fentry calls priceOf` shows what it was called with, and what came out.',
  },
  {
    title: 'An unhandled rejection without a stack: where does it come from?',
    reports: ['https://github.com/nodejs/node/issues/9219', 'https://github.com/honeybadger-io/honeybadger-js/issues/534'],
    program: 'unhandled',
    start: 'node --import fentry server.mjs',
    load: again('/1'),
    commands: [
      'fentry start -e exceptions:unhandled_rejection -O places; sleep 0.3; fentry stop; fentry show | tail -1 | cut -c 52-',
    ],
    shows: [
      /unhandled_rejection: undefined: .* at=lib\/mail\.mjs:1:\d+ rejecter=sendMail\S* \(lib\/mail\.mjs:1\) maker=sendMail\S* /,
    ],
    says: 'The event names the function that rejected the promise, and the one that made it; `at` is where, also where the reason is no Error.',
    next: '`sendMail` rejects, and nobody awaits its promise: `fentry calls sendMail` shows with what it was called, and what it did.',
  },
  {
    title: 'Which files does it ask for, and how often?',
    program: 'sync-files',
    start: 'node --import fentry server.mjs',
    load: again('/'),
    commands: [
      `fentry bpftrace -e 'tracepoint:fs:op_end /str(args.path) != ""/ { @[str(args.op), str(args.path)] = count(); }
interval:s:1 { print(@, 5); clear(@); exit(); }'`,
    ],
    shows: [/@\[read_file, views\/partials\/p3\.tpl\]: \d+/],
    says: 'Each operation of Node’s `fs` is an event: `op_start`, `op_end` with its duration, result and error.',
    next: '[Recipes](recipes.md) has the slow ones, and who asks for them.',
  },
  {
    title: 'How long does it collect garbage?',
    program: 'late-response',
    start: 'node --import fentry server.mjs',
    load: again('/report'),
    commands: [
      `fentry bpftrace -e 'tracepoint:gc:gc { @ms[str(args.kind)] = stats(args.duration / 1000000); } interval:s:2 { exit(); }'`,
    ],
    shows: [/@ms\[scavenge\]: count \d+, average \d+, total \d+/],
    says: 'Collections are events, with their kind, duration, and the heap before and after.',
    next: '[Recipes](recipes.md) shows what they stopped.',
  },
  {
    title: 'Which requests come in, and how are they answered?',
    program: 'listeners',
    start: 'node --import fentry server.mjs',
    load: again('/a', '/b'),
    commands: ['fentry start -e http:server_request_end; sleep 0.3; fentry stop; fentry show | tail -2 | cut -c 52-'],
    shows: [/server_request_end: .*method=GET url=\/[ab] status=200 bytes=\d+ duration=\d+/],
    says: '`fentry show -p` prints them as they come, until Ctrl-C.',
    next: '`-e http` has those that the process makes, `-e dns` the names that it asks for: [all events](node-events.md).',
  },
];

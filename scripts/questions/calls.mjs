// Questions about who calls what, how often, and in which order.
import { again, once } from './loads.mjs';

export const CALLS = [
  {
    title: 'In which order do the functions of a request run, and who put them there?',
    reports: ['https://github.com/expressjs/express/issues/2740', 'https://github.com/jaredhanson/passport/issues/83'],
    program: 'middleware-twice',
    start: 'fentry record --own node server.mjs',
    load: once('/admin'),
    isStopped: true,
    commands: ['fentry report --trace -O places'],
    lines: 56,
    shows: [
      /app\.mjs\(\) \{ \/\* lib\/app\.mjs:1 \*\/\n[\s\S]*?\| {4}session\(\); \/\* lib\/session\.mjs:7 \*\/\n[\s\S]*?\| {4}admin\(\) \{ \/\* lib\/admin\.mjs:4 \*\/\n[\s\S]*?\| {6}session\(\);/,
      /sessionMiddleware\(\) \{ \/\* lib\/session\.mjs:8 \*\/\n[\s\S]*countVisit\(\) \{ \/\* lib\/app\.mjs:7 \*\/\n[\s\S]*sessionMiddleware\(\) \{ \/\* lib\/session\.mjs:8 \*\/\n[\s\S]*dashboard\(\); \/\* lib\/admin\.mjs:7 \*\//,
    ],
    says: 'The graph of all calls of the application, from its start on: `/admin` is asked once, then Ctrl-C.',
    next: '`sessionMiddleware` runs twice for one request: `app.mjs` puts it there, and so does `admin()`.',
  },
  {
    title: 'How many file operations does a request make, and who makes them?',
    reports: [
      'https://github.com/vercel/next.js/issues/3682',
      'https://github.com/alphagov/spotlight/pull/1055',
      'https://github.com/bgub/eta/issues/21',
    ],
    program: 'sync-files',
    start: 'node --import fentry server.mjs',
    load: again('/'),
    commands: [
      `fentry bpftrace -e 'kprobe:renderPage { @pages = count(); }
tracepoint:fs:op_start { @[ustack(3)] = count(); }
interval:s:1 { exit(); }'`,
      'fentry start -p function_graph -g renderPage --own -O funcgraph-args -O places; sleep 0.3; fentry stop; fentry show | sed 1,4d | head -7',
    ],
    lines: 30,
    shows: [
      /existsSync.*\n +lookup.*\n +renderPage/,
      /existsSync.*\n +lookup.*\n +partOf/,
      /@pages: \d+/,
      /renderPage\(name="home", data=\{user: "ann", at: [\d.]+\}\) \{ \/\* lib\/views\.mjs:6 \*\/\n.*lookup\(name="home"\); \/\* lib\/lookup\.mjs:8 \*\/\n.*compile\(/,
    ],
    says: 'A script counts the operations of Node’s `fs` by who asks for them, and the pages beside them; a graph with arguments shows what the functions get.',
    next: 'The data, a part of the cache’s key, has the time `at`: the key is another one each time, and everything is looked up again.',
  },
  {
    title: 'Which work runs in the async context of another request?',
    reports: [
      'https://github.com/nodejs/help/issues/2546',
      'https://github.com/nodejs/node/issues/45848',
      'https://github.com/nodejs/node/issues/32330',
      'https://github.com/getappmap/appmap-node/issues/103',
    ],
    program: 'async-mixup',
    start: 'node --import fentry server.mjs',
    load: again('/?user=ann&doc=1', '/?user=bob&doc=2'),
    commands: [
      'fentry start -p function_graph --own -n "*createServer*" -O async-context -O funcgraph-proc -O funcgraph-args -O places -e timer:timer_start',
      'sleep 1; fentry stop; fentry show | grep -v "=>\\|---\\|^$" | grep -m 1 -A 56 withUser',
    ],
    lines: 60,
    shows: [
      /Loader\.load\.Promise@10.*lib\/loader\.mjs:10 \*\/\n.*timer_start: .* function=Loader\.load\.setTimeout@12 \(lib\/loader\.mjs:12\)/,
      /Timeout-\d+ .* Loader\.private\.flush\(\) \{ \/\* lib\/loader\.mjs:16 \*\/\n[\s\S]{0,500}fetchDocuments\(ids=\[[12], [12]\]\)/,
      /PROMISE-(\d+) .* recordAccess\(id=1\) \{.*\n[\s\S]{0,600}PROMISE-\1 .* recordAccess\(id=2\) \{ \/\* lib\/audit\.mjs:5/,
    ],
    says: 'Each async context is a task, with its calls and the timers that it starts.',
    next: 'The first `Loader.load()` of a batch makes the timer. So `flush` and all that it calls, `recordAccess` for both users too, run in the context of that request.',
  },
  {
    title: 'Which function asks the database so often?',
    reports: ['https://github.com/doug-martin/nestjs-query/issues/17', 'https://github.com/doug-martin/nestjs-query/issues/356'],
    program: 'n-plus-one',
    start: 'node --import fentry server.mjs',
    load: again('/'),
    commands: [
      `fentry bpftrace -e 'kprobe:query { @[ustack(2)] = count(); } interval:s:1 { exit(); }'`,
      'fentry list -f withAuthor',
    ],
    shows: [/^withAuthor +lib\/posts\.mjs:8$/m, /query.*\n +withAuthor.*\n\]: \d{3,}/],
    says: 'Two frames of each stack: the function, and who calls it.',
    next: '`withAuthor` asks once for each post: ask once for all of them.',
  },
  {
    title: 'Who calls this callback twice?',
    reports: ['https://github.com/medic/cht-core/issues/1545', 'https://github.com/ninenine/nodebb-plugin-beep/pull/34'],
    program: 'double-callback',
    start: 'node --import fentry server.mjs',
    load: again('/x'),
    commands: [
      'fentry start -p function_graph --own -O funcgraph-args -O places; sleep 1; fentry stop; fentry show | tail -20 | cut -c 1-120',
    ],
    lines: 40,
    shows: [
      /saveUser\.validate@6\(error=Error: "too short"\) \{ \/\* lib\/users\.mjs:6 \*\/\n.*answer\(error=Error: "too short"\);.*\n.*\}\n.*\| {2}answer\(error=undefined\); \/\* server\.mjs:6/,
    ],
    says: 'A graph with arguments of the application’s functions.',
    next: '`answer` gets the error, and is called again by `setImmediate`: the callback of `validate` in `saveUser` goes on behind `callback(error)`.',
  },
  {
    title: 'Maximum call stack size exceeded: which functions call each other?',
    reports: ['https://github.com/vakata/jstree/issues/1306', 'https://github.com/jonschlinkert/remarkable/issues/19'],
    program: 'recursion',
    start: 'node --import fentry server.mjs',
    load: again('/'),
    commands: ['fentry stack --start; sleep 1; fentry stack | head -12'],
    shows: [/sizeOf\+.* \(lib\/tree\.mjs:3\)\n.*addSize\+.* \(lib\/tree\.mjs:7\)\n.*reduce.*\n.*sizeOf\+/],
    says: 'The stack tracer keeps the deepest stack.',
    next: '`sizeOf` and `addSize` call each other: `fentry start -p function -l sizeOf -O func-args` shows with what.',
  },
  {
    title: 'Who allocates the Buffers?',
    reports: ['https://github.com/nodejs/help/issues/2512', 'https://github.com/nodejs/node/issues/42925'],
    program: 'buffers',
    start: 'node --import fentry server.mjs',
    load: again('/a'),
    commands: [
      `fentry bpftrace -e 'tracepoint:kmem:kmalloc { @[ustack(3)] = sum(args.bytes_alloc); } interval:s:1 { exit(); }'`,
      `fentry list -f '*rowsOf*'`,
    ],
    shows: [/rowsOf\.from@2.*\n.*from.*\n +rowsOf.*\n\]: \d{5,}/, /^rowsOf +lib\/rows\.mjs:1$/m],
    says: 'The bytes of new Buffers, by three frames of the stack.',
    next: 'More frames, `ustack(6)`, show who wants them. [Recipes](recipes.md) has more on memory.',
  },
];

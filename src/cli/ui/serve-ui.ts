import { once } from 'node:events';
import { basename } from 'node:path';
import { TraceError } from '../../base/errno.js';
import { applicationsOf } from '../../client/applications.js';
import { traceableProcesses } from '../../client/processes.js';
import { openBrowser } from '../open/open-browser.js';
import { PAGE_ROUTES } from '../open/page-files.js';
import { PageServer } from '../open/page-server.js';
import { complain } from '../output.js';
import { LiveProcesses } from './live-processes.js';
import { nodeProcesses } from './node-processes.js';
import { UiRecordings } from './ui-recordings.js';
import { uiRoutes } from './ui-routes.js';

/** How the page is served. */
export interface UiOptions {
  /** A pid, or the name of a program: the process that is shown first. Absent: the only application. */
  readonly process: string | undefined;
  readonly isReadOnly: boolean;
  readonly withBrowser: boolean;
}

/** The path of the page, which says that it shows what runs, and no recording. */
const PATH = '/live';

/** Serves the page of running processes until Ctrl-C. TraceError ENODEV for a process that does not run. */
export async function serveUi({ process: named, isReadOnly, withBrowser }: UiOptions): Promise<void> {
  const pid = await shownFirst(named);
  const processes = new LiveProcesses();
  const recordings = new UiRecordings();
  const document = PAGE_ROUTES.filter(({ path }) => path === '/').map((route) => ({ ...route, path: PATH }));
  const server = await PageServer.start([...PAGE_ROUTES, ...document, ...uiRoutes({ processes, recordings, isReadOnly, pid })]);
  try {
    const link = server.linkTo(PATH);
    using _browser = withBrowser ? await openBrowser(link) : undefined;
    process.stdout.write(`running processes are shown at ${link}\n`);
    complain('Ctrl-C ends it; what the page has switched on stays on');
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  } finally {
    server.close();
    recordings.close();
    for (const { pid, changes } of processes.all)
      for (const { what, now } of changes.all) complain(`process ${pid} keeps ${what}: ${now === '' ? 'removed' : now}`);
  }
}

/** The process that a word names; without one, the only application that runs with fentry, if there is one. */
async function shownFirst(word: string | undefined): Promise<number | undefined> {
  if (word === undefined) {
    const found = applicationsOf(await traceableProcesses());
    return found.length === 1 ? found[0]!.pid : undefined;
  }
  const all = await nodeProcesses();
  const isMeant = /^\d+$/.test(word)
    ? ({ pid }: { pid: number }) => pid === Number(word)
    : ({ program }: { program: string }) => program === word || basename(program) === word;
  const [one, ...others] = all.filter(isMeant);
  if (one === undefined) throw new TraceError('ENODEV', `no process of Node is ${word}; those that run: ${listing(all)}`);
  if (others.length > 0)
    throw new TraceError('EINVAL', `several processes are ${word}; choose one with --pid PID: ${listing([one, ...others])}`);
  return one.pid;
}

const listing = (all: readonly { readonly pid: number; readonly program: string }[]): string =>
  all.length === 0 ? 'none' : all.map(({ pid, program }) => `${pid} (${program})`).join(', ');

import { once } from 'node:events';
import { visible } from '../../base/visible.js';
import { openBrowser } from './open-browser.js';
import { PAGE_ROUTES } from './page-files.js';
import { PageServer } from './page-server.js';
import { recordingRoutes } from './recording-routes.js';

/**
 * Serves a recording as a page until Ctrl-C, and opens the browser where there is one. Throws TraceDatError for a file that is no
 * recording.
 * @param before the recording that it is compared with
 */
export async function openRecording(file: string, before: string | undefined, withBrowser: boolean): Promise<void> {
  const server = await PageServer.start([...PAGE_ROUTES, ...recordingRoutes(file, before)]);
  using _browser = withBrowser ? await openBrowser(server.link) : undefined;
  const what = before === undefined ? `${visible(file)} is` : `${visible(before)} and ${visible(file)} are`;
  process.stdout.write(`${what} shown at ${server.link}\n`);
  process.stderr.write('fentry: Ctrl-C ends it\n');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  server.close();
}

import { DUMP_FORMATS } from '../../dump/dump-formats.js';
import { ListedSources } from '../../dump/listed-sources.js';
import { answerDump } from './dump-thread.js';
import type { PageRoute } from './page-server.js';

/** What the page can ask about a recording. Throws TraceDatError for a file that is none. */
export function recordingRoutes(file: string): readonly PageRoute[] {
  const sources = ListedSources.of(file);
  return [
    {
      path: '/recording',
      method: 'GET',
      asks: 'data',
      answer: (_request, response) => answerDump(file, 'columns', response),
    },
    {
      path: '/source',
      method: 'GET',
      asks: 'data',
      answer(_request, response, query) {
        const source = JSON.stringify(sources.read(query.get('file') ?? ''));
        response.writeHead(200, { 'content-type': 'application/json' }).end(source);
      },
    },
    {
      // The file for ui.perfetto.dev, which the page sends there when a person asks it to.
      path: '/perfetto',
      method: 'GET',
      asks: 'data',
      answer: (_request, response) => answerDump(file, perfettoFormat(), response),
    },
  ];
}

/** The format that Perfetto reads best. */
const perfettoFormat = (): string =>
  DUMP_FORMATS.map(({ option }) => option as string).find((option) => option === 'perfetto') ?? 'chrome';

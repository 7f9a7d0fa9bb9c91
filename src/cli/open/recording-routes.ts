import { basename } from 'node:path';
import { TraceError } from '../../base/errno.js';
import { DUMP_FORMATS } from '../../dump/dump-formats.js';
import { ListedSources } from '../../dump/listed-sources.js';
import { answerDump, type PageTitle } from './dump-thread.js';
import type { PageRoute } from './page-server.js';

/** A recording that the page can ask for. */
interface ServedRecording {
  readonly file: string;
  readonly title: PageTitle;
  readonly sources: ListedSources;
}

/** The value of the query's `of` that asks for the recording before; without it, the other one is meant. */
const BEFORE = 'before';

/**
 * What the page can ask about a recording. Throws TraceDatError for a file that is none.
 * @param before the recording that it is compared with
 */
export function recordingRoutes(file: string, before?: string): readonly PageRoute[] {
  const [name, beforeName] = before === undefined ? [basename(file)] : namesOf(file, before);
  const served = new Map<string | null, ServedRecording>();
  const title = { name: name!, ...(beforeName !== undefined && { before: beforeName }) };
  served.set(null, { file, title, sources: ListedSources.of(file) });
  if (before !== undefined) served.set(BEFORE, { file: before, title: { name: beforeName! }, sources: ListedSources.of(before) });
  const wanted = (query: URLSearchParams): ServedRecording => {
    const one = served.get(query.get('of'));
    if (one === undefined) throw new TraceError('EINVAL', 'the page has no such recording');
    return one;
  };
  return [
    {
      path: '/recording',
      method: 'GET',
      asks: 'data',
      answer(_request, response, query) {
        const one = wanted(query);
        return answerDump(one.file, 'columns', one.title, response);
      },
    },
    {
      path: '/source',
      method: 'GET',
      asks: 'data',
      answer(_request, response, query) {
        const source = JSON.stringify(wanted(query).sources.read(query.get('file') ?? ''));
        response.writeHead(200, { 'content-type': 'application/json' }).end(source);
      },
    },
    {
      // The file for ui.perfetto.dev, which the page sends there when a person asks it to.
      path: '/perfetto',
      method: 'GET',
      asks: 'data',
      answer(_request, response, query) {
        const one = wanted(query);
        return answerDump(one.file, perfettoFormat(), one.title, response);
      },
    },
  ];
}

/** The names of two recordings: those of their files, or of their paths if these are the same. */
function namesOf(file: string, before: string): readonly [name: string, before: string] {
  const [name, other] = [basename(file), basename(before)];
  return name === other ? [file, before] : [name, other];
}

/** The format that Perfetto reads best. */
const perfettoFormat = (): string =>
  DUMP_FORMATS.map(({ option }) => option as string).find((option) => option === 'perfetto') ?? 'chrome';

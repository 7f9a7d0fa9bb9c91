import { isOwnCode } from '../../answers/own-code.js';
import { RequestFold, type WaitingPlace } from '../../answers/requests/fold-requests.js';
import { jobChannels } from '../../answers/requests/job-channels.js';
import type { RequestsAnswer } from '../../answers/requests/requests-answer.js';
import { highWord, lowWord } from '../../base/words.js';
import { RecordMerge } from '../record-merge.js';
import { RequestRecords } from '../request-records.js';
import { isFentrys } from './is-fentrys.js';
import { openTraceDat } from './open.js';
import { OpenCursors } from './open-cursors.js';
import { RecordedPlaces } from './recorded-places.js';
import { KallsymsTable } from './report/kallsyms-table.js';
import { RecordedEvents } from './report/recorded-events.js';

/** What a recording tells of requests, and what of it could not be read. */
export interface RecordedRequests {
  readonly answer: RequestsAnswer;
  readonly warnings: readonly string[];
}

/**
 * The requests of a recording, or the jobs of a channel. Memory does not grow with the file. Throws TraceDatError for a file that
 * cannot be read.
 * @param channel as jobChannels() takes it; absent: HTTP requests
 */
export function recordedRequests(path: string, channel: string | undefined): RecordedRequests {
  const dat = openTraceDat(path);
  try {
    const [top] = dat.buffers;
    if (top === undefined) throw dat.file.error(undefined, 'holds no buffer of events');
    const open = new OpenCursors(dat, top, undefined, 0);
    const fold = new RequestFold();
    const channels = channel === undefined ? undefined : jobChannels(channel);
    const records = new RequestRecords(new RecordedEvents(dat.formats), channels, (event) => fold.take(event));
    for (const merge = new RecordMerge(open.cursors); merge.take(); ) records.read(merge);
    const places = new RecordedPlaces(dat);
    const symbols = new KallsymsTable(dat.kallsyms, isFentrys(dat));
    const files = new Set<string>();
    const placeOf = (address: number): WaitingPlace | undefined => {
      const symbol = symbols.find(highWord(address), lowWord(address));
      const place = symbol?.module === '' ? symbols.placeOf(symbol, places) : undefined;
      if (place === undefined || !isOwnCode(place)) return undefined;
      files.add(place.file);
      return { frame: { name: symbol!.text, place, isOwn: true }, awaits: places.inStack(address) };
    };
    const answer = fold.answer({ pid: 0, application: '', ...(channel !== undefined && { channel }) }, placeOf);
    const application = places.application(files);
    return { answer: { ...answer, application }, warnings: [...dat.warnings, ...open.warnings()] };
  } finally {
    dat.file.close();
  }
}

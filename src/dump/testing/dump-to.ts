import type { ReportSink } from '../../output/trace-dat/index.js';
import { type Dump, dumpedRecording } from '../dumped-recording.js';
import type { Selection } from '../selection.js';

/** Dumps a file in a format that has one file; returns the warnings. */
export const dumpTo = (dump: Dump, path: string, sink: ReportSink, selection: Selection = {}): readonly string[] =>
  dump(dumpedRecording(path, undefined, selection), {
    write: (bytes) => sink.write(bytes),
    beside: (ending) => {
      throw new Error(`nobody takes ${ending}`);
    },
  });

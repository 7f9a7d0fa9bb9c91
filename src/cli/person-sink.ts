import type { ReportSink } from '../output/trace-dat/index.js';
import { colourLine } from './colour.js';
import { type LineFilter, LineSink } from './line-sink.js';
import { isForEyes, wantsColour } from './pager.js';
import { SiblingFold } from './sibling-fold.js';
import { visible } from './visible.js';

/** A sink that must be ended: `end` writes its last lines. */
export interface EndedSink extends ReportSink {
  end(): void;
}

/**
 * Writes a trace to stdout: on a terminal with colours and visible control characters, to a pipe or a file unchanged.
 * @param folds whether calls that are alike are left out
 */
export function personSink(sink: ReportSink, folds: boolean): EndedSink {
  const isSeen = isForEyes();
  if (!isSeen && !folds) return { write: (bytes) => sink.write(bytes), end() {} };
  const fold = folds ? new SiblingFold() : undefined;
  const colour = wantsColour() ? colourLine : (line: string) => line;
  const filter: LineFilter = {
    line(text) {
      const line = isSeen ? visible(text) : text;
      return (fold?.line(line) ?? [line]).map(colour);
    },
    end: () => (fold?.end() ?? []).map(colour),
  };
  return new LineSink(sink, filter);
}

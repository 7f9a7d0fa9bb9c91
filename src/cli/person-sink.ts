import { visible } from '../base/visible.js';
import type { ReportSink } from '../output/trace-dat/index.js';
import { colourLine } from './colour.js';
import { type LineFilter, LineSink } from './line-sink.js';
import { linkedPlaces } from './linked-places.js';
import { isForEyes, linkHost, wantsColour } from './pager.js';
import { SiblingFold } from './sibling-fold.js';

/** A sink that must be ended: `end` writes its last lines. */
export interface EndedSink extends ReportSink {
  end(): void;
}

/** Writes what is for a person's eyes already. */
export const plainSink = (sink: ReportSink): EndedSink => ({ write: (bytes) => sink.write(bytes), end() {} });

/** A line of a graph whose duration has a mark. */
const MARKED = / [$@*#!+] [\d.]+ us +\| {2}/;

/**
 * Writes a trace to stdout: on a terminal with colours and visible control characters, and with a comment before the first
 * duration that has a mark; to a pipe or a file unchanged.
 * @param folds whether calls that are alike are left out
 * @param marks what the marks of long durations mean; empty if there are none
 * @param folder what paths of places are relative to
 */
export function personSink(sink: ReportSink, folds: boolean, marks = '', folder = process.cwd()): EndedSink {
  const isSeen = isForEyes();
  if (!isSeen && !folds) return plainSink(sink);
  const fold = folds ? new SiblingFold() : undefined;
  const colour = wantsColour() ? colourLine : (line: string) => line;
  const linked = linkedPlaces(folder, isSeen ? linkHost() : undefined);
  let isExplained = !isSeen || marks === '';
  const explained = (line: string): readonly string[] => {
    if (isExplained || !MARKED.test(line)) return [line];
    isExplained = true;
    return [`# marks: ${marks}`, line];
  };
  const filter: LineFilter = {
    line(text) {
      const line = isSeen ? visible(text) : text;
      return (fold?.line(line) ?? [line]).flatMap(explained).map(colour).map(linked);
    },
    end: () => (fold?.end() ?? []).flatMap(explained).map(colour).map(linked),
  };
  return new LineSink(sink, filter);
}

import type { ListedPlace } from '../../probes/parse-listed-place.js';

/** Lines of a source, and on which of them a probe can stand. */
export interface SourceLines {
  /** The function that was asked for; absent: a file was. */
  readonly symbol?: string;
  readonly file: string;
  /** The number of the first of the lines: of the function if one was asked for, whose first line is 0; else of the file. */
  readonly first: number;
  readonly lines: readonly SourceLine[];
}

export interface SourceLine {
  readonly text: string;
  readonly isPlace: boolean;
}

/** A place where a probe can stand, and the names that it can read there. */
export interface PlaceVariables {
  readonly address: number;
  readonly symbol: string;
  /** Units from the start of the function. */
  readonly offset: number;
  readonly file: string;
  /** Of the file, from 1. */
  readonly line: number;
  readonly variables: readonly { readonly name: string; readonly kind: string; readonly type?: string }[];
}

/** What the process knows of its sources: what perf probe reads of an executable's debugging information. */
export interface ProbeSource {
  /** The place that a text names; undefined if it names none. */
  place(text: string): ListedPlace | undefined;
  /**
   * @throws TraceError ENOENT: there is no such function or source, or the source does not have the lines; EADDRNOTAVAIL: several
   * functions
   *   have the name
   */
  lines(place: ListedPlace): Promise<SourceLines>;
  /** @throws TraceError the same, and EILSEQ where V8 cannot stop, with the nearest places */
  variables(place: ListedPlace): Promise<PlaceVariables>;
}

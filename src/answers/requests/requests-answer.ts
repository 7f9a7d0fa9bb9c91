import type { AnswerValue } from '../answer.js';
import type { Frame, Place } from '../place.js';

/** How many seconds requests are followed if nobody says so, and at most. */
export const DEFAULT_SECONDS = 10;
export const MOST_SECONDS = 3600;

/** Where the time of HTTP requests went, or of the jobs of a channel. Of a recording `pid` is 0. */
export interface RequestsAnswer extends AnswerValue {
  readonly answer: 'requests';
  readonly version: 1;
  /** The channel, or the two of them, that told of jobs; absent: these are HTTP requests. */
  readonly channel?: string;
  /** Requests that were over, and those that were not yet at the end. */
  readonly finished: number;
  readonly open: number;
  /** Events that were lost: the times of requests may lack what they said. */
  readonly lost: number;
  /** By route, that with the longest request first. */
  readonly routes: readonly RequestRoute[];
  /** The slowest requests, the slowest first. */
  readonly slowest: readonly RequestTimes[];
}

/**
 * The requests of one method and path, in which parts that are numbers or ids count as equal; or the jobs of one name.
 */
export interface RequestRoute {
  /** `GET /items/:id`; of jobs the `name` in their messages, or the channel. */
  readonly route: string;
  readonly count: number;
  /** Milliseconds of half of them at most, of 90 %, of 99 %, and of the longest. */
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The mean time on the thread, and that of waiting until the thread was free, in milliseconds. */
  readonly threadMs: number;
  readonly queuedMs: number;
}

/** What a request waited for. */
export type WaitKind =
  | 'timer'
  | 'socket'
  | 'dns'
  | 'file'
  | 'pool'
  | 'child process'
  | 'message'
  | 'loop'
  | 'request'
  | 'answer'
  | 'other';

/** Where the time of a request went: `threadMs`, `queuedMs` and the waits are together `ms`. */
export interface RequestTimes {
  /** The request's number in the events of http; of a job that of its message. */
  readonly id: number;
  /** What was asked for, and the answer; absent: it is a job. */
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  /** The message that began a job, as text. */
  readonly message?: string;
  /** From when Node handed the request to the program, to when its answer was finished; of a job between its messages. */
  readonly ms: number;
  /** What ran for it: its own code, and that of Node and of packages. */
  readonly threadMs: number;
  /** Synchronous operations on files, part of `threadMs`: those of one line are one, that with the longest time first. */
  readonly fileOperations: readonly RequestOperations[];
  /** Milliseconds in which it could have run, but something else did on its thread. */
  readonly queuedMs: number;
  /** Garbage collections meanwhile; they are part of the other times. */
  readonly collectionsMs: number;
  /** Equal waits are one: the longest first. */
  readonly waits: readonly RequestWait[];
}

/** A function of the application, and the line in it that is meant. */
export interface RequestPlace {
  /** The function, and where it is defined. */
  readonly frame: Frame;
  /** Absent: it is not known. */
  readonly at?: Place;
}

/** Operations on files in which the thread stood still. */
export interface RequestOperations extends Partial<RequestPlace> {
  readonly ms: number;
  readonly count: number;
}

/** Whose code it was that settled what was awaited, if that was another request's. */
export interface RequestSettling {
  /** The function that settled it, as far as it has awaited something itself; else the callback's place says it. */
  readonly by?: RequestPlace;
  /** What called its code back, and where that was asked for: there the code became that of the other request. */
  readonly callback?: RequestPlace & { readonly kind: WaitKind };
}

/** A wait of a request. */
export interface RequestWait {
  readonly kind: WaitKind;
  /** Id of the request, or of the job, whose code settled what was awaited, if the kind is `request`. */
  readonly request?: number;
  readonly ms: number;
  readonly count: number;
  /** The function of the application that awaited it, and where that is defined. Absent: it is not known. */
  readonly frame?: Frame;
  /** Present if the kind is `request` and it is known. */
  readonly settled?: RequestSettling;
  /** Where in the function the `await` is, or the call that has made the promise. Absent: it is not known. */
  readonly awaits?: Place;
}

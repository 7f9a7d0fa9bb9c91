import type { AnswerValue } from '../answer.js';
import type { Frame } from '../place.js';

/** Where the time of HTTP requests went. Of a recording `pid` is 0 and `application` is ''. */
export interface RequestsAnswer extends AnswerValue {
  readonly answer: 'requests';
  readonly version: 1;
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

/** The requests of one method and path; parts of the path that are numbers or ids count as equal. */
export interface RequestRoute {
  /** `GET /items/:id` */
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
  /** The request's number in the events of http. */
  readonly id: number;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** From when Node handed the request to the program, to when its answer was finished. */
  readonly ms: number;
  /** What ran for it: its own code, and that of Node and of packages. */
  readonly threadMs: number;
  /** Milliseconds in which it could have run, but something else did on its thread. */
  readonly queuedMs: number;
  /** Garbage collections meanwhile; they are part of the other times. */
  readonly collectionsMs: number;
  /** Equal waits are one: the longest first. */
  readonly waits: readonly RequestWait[];
}

/** A wait of a request. */
export interface RequestWait {
  readonly kind: WaitKind;
  /** Id of the request whose code settled what was awaited, if the kind is `request`. */
  readonly request?: number;
  readonly ms: number;
  readonly count: number;
  /** The function of the application that awaited it. Absent: it is not known. */
  readonly frame?: Frame;
}

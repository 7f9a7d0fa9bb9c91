/** What `fentry ui` answers its page with, besides answers of the process and files of its tree. */

/** A process of Node. */
export interface NodeProcess {
  readonly pid: number;
  readonly program: string;
  readonly folder: string;
  readonly command: string;
  /** Whether it runs with fentry. */
  readonly isPrepared: boolean;
  /** Whether it is an application, as `fentry` chooses one: neither npm and its like, nor what only starts another one. */
  readonly isApplication: boolean;
}

/** How the page was started. */
export interface UiStart {
  readonly isReadOnly: boolean;
  /** The process that is shown first. Absent: the person chooses. */
  readonly pid?: number;
}

/** What the system says of a process. */
export interface ProcessLoad {
  /** Seconds by a clock that only goes forward. */
  readonly at: number;
  /** CPU time that it has used, in seconds. */
  readonly cpu: number;
  /** Threads of the system, Node's own too. */
  readonly threads: number;
  /** Resident memory. */
  readonly bytes: number;
}

/** One thing that pages have changed in a process. */
export interface LiveChange {
  /** The file, and what of it where it has several things. */
  readonly what: string;
  readonly before: string;
  readonly now: string;
}

/** A histogram of a process. */
export interface LiveHistogram {
  /** `http:server_request_start` */
  readonly event: string;
  /** The folder of the event in the tree. */
  readonly folder: string;
  /** The trigger: `hist:keys=url`, as a write with `!` before it removes it. */
  readonly trigger: string;
}

/** A recording that a page has made. */
export interface UiRecording {
  readonly id: number;
  readonly events: number;
  readonly lost: number;
  /** What must be known of it. */
  readonly notes: readonly string[];
}

import type { Frame } from '../place.js';

/** The functions of a process that can be traced: what `fentry list -f --json` prints. */
export interface FunctionsAnswer {
  readonly answer: 'functions';
  /** Goes up when a field is removed, or means something else. */
  readonly version: 1;
  readonly pid: number;
  /** The folder that the program was started in; '' if it is not known. Places are shown relative to it. */
  readonly application: string;
  /** In the order of available_filter_functions. */
  readonly functions: readonly Frame[];
}

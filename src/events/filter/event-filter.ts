import type { Errno } from '../../base/errno.js';
import { FILTER_ERRORS, FilterError } from './errors.js';
import type { FilteredEvent } from './operand.js';
import { parseFilter } from './parse-filter.js';
import type { FilterProgram } from './predicate.js';

/** The filter of an event in an instance, after a write. */
export interface EventFilter {
  /** What the file `filter` shows: the text; of a refused one also where and why. */
  readonly shown: string;
  /** undefined if the filter was refused: then the event is not filtered at all, whatever filter it had. */
  readonly program?: FilterProgram;
}

/** A refusal, as error_log gets it. */
export interface FilterRefusal {
  readonly location: 'event filter parse error';
  readonly message: string;
  readonly command: string;
  /** Bytes before the caret. */
  readonly position: number;
  readonly errno: Errno;
}

/** What the file `filter` of an event shows without a filter. */
export const NO_FILTER = 'none\n';

/** What the file `filter` of a system shows, whatever was written. */
export const SYSTEM_FILTER =
  '### global filter ###\n' +
  '# Use this to set filters for multiple events.\n' +
  '# Only events with the given fields will be affected.\n' +
  '# If no events are modified, an error message will be displayed here\n';

/** A written filter as the kernel keeps it: without the white space at its end. That at its front stays. */
const kept = (written: string): string => written.replace(/\s+$/, '');

const isClearing = (text: string): boolean => text.trimStart() === '0';

/**
 * What a write into the file `filter` of an event does (apply_event_filter in kernel/trace/trace_events_filter.c). A refused
 * filter takes the place of the one before too, and the write fails with the errno of `refusal`, which error_log gets. `0`
 * clears: then there is no filter; `none` does not.
 * @param written up to its first NUL; the file refuses what is 4096 bytes or longer (EINVAL)
 */
export function filterOf(event: FilteredEvent, written: string): { filter?: EventFilter; refusal?: FilterRefusal } {
  const text = kept(written);
  return isClearing(text) ? {} : parsed(event, text);
}

/**
 * What a write into the file `filter` of a system does to its events, in their order (apply_subsystem_event_filter). An event for
 * which the filter is refused, if only for a field that it does not have, shows so, is no longer filtered, and has a line in
 * error_log; the others get it. The write itself never fails, and the system's file shows SYSTEM_FILTER as before.
 */
export function systemFilterOf(
  events: readonly FilteredEvent[],
  written: string,
): readonly { filter?: EventFilter; refusal?: FilterRefusal }[] {
  const text = kept(written);
  if (isClearing(text)) return events.map(() => ({}));
  return events.map((event) => {
    const result = parsed(event, text);
    return result.refusal === undefined ? result : refused(text, new FilterError('badSystemFilter', 0));
  });
}

function parsed(event: FilteredEvent, text: string): { filter: EventFilter; refusal?: FilterRefusal } {
  try {
    return { filter: { shown: `${text}\n`, program: parseFilter(event, text) } };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return refused(text, error);
  }
}

function refused(text: string, error: FilterError): { filter: EventFilter; refusal: FilterRefusal } {
  const { kind, position } = error;
  const [message, errno] = FILTER_ERRORS[kind];
  const isPlain = kind === 'empty' || kind === 'noField';
  const reasons = isPlain ? ['\nError: (0)\n'] : [`\n${caret(text, position)}`, `\nparse_error: ${message}\n`];
  return {
    filter: { shown: `${fitted(text, reasons)}\n` },
    refusal: { location: 'event filter parse error', message, command: text, position, errno },
  };
}

/** A line with a caret under the place, or under the end when the place is beyond it. */
const caret = (text: string, position: number): string => '^'.padStart(Math.min(position, Buffer.byteLength(text)) + 1);

/** Bytes that a refused filter is shown in, with why (a trace_seq: PAGE_SIZE). */
const MAX_SHOWN = 4096;

/** The text with as many of the reasons as fit behind it: after the first that does not, none is added (append_filter_err). */
function fitted(text: string, reasons: readonly string[]): string {
  let shown = text;
  for (const reason of reasons) {
    if (Buffer.byteLength(shown) + Buffer.byteLength(reason) >= MAX_SHOWN) break;
    shown += reason;
  }
  return shown;
}

import { SPAN_EVENT } from '../answers/timeline/context-events.js';
import type { Track, VisitedEvent } from '../output/trace-dat/calls/call-visitor.js';

/** A span of an OpenTelemetry SDK, by its ids. */
export interface ActiveSpan {
  readonly trace: string;
  readonly span: string;
}

/** The span of the program's OpenTelemetry SDK that each thread works for, as `otel:span_switch` says; without that none. */
export class ActiveSpans {
  /** By the track's index. */
  readonly #active: (ActiveSpan | undefined)[] = [];
  /** The event's number in the recording; undefined: none was there yet. */
  #id: number | undefined;

  take(event: VisitedEvent): void {
    const { format, track } = event;
    if (this.#id === undefined && format.system === SPAN_EVENT.system && format.name === SPAN_EVENT.event) this.#id = format.id;
    if (format.id !== this.#id) return;
    const trace = String(event.read(SPAN_EVENT.trace) ?? '');
    this.#active[track.index] = trace === '' ? undefined : { trace, span: String(event.read(SPAN_EVENT.span) ?? '') };
  }

  /** Records were lost: what the thread works for is not known until it is told again. */
  forget({ index }: Track): void {
    this.#active[index] = undefined;
  }

  /** The span that a thread works for now. */
  of({ index }: Track): ActiveSpan | undefined {
    return this.#active[index];
  }
}

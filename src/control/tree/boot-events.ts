import { asTraceError } from '../../base/errno.js';
import { type EventRequest, eventWrites, requestedEvents } from '../../events/event-request.js';
import type { EventName } from '../../events/set-event-word.js';
import type { TraceDirectory } from '../tracefs/node.js';
import { appendTo } from '../tracefs/read-write.js';

interface BootRequest {
  /** The directory of the instance, with a slash at its end; '' for the top level. */
  readonly folder: string;
  readonly request: EventRequest;
  readonly names: (event: EventName) => boolean;
}

/**
 * What FENTRY asks of events (early_enable_events and trace_early_triggers in kernel/trace/trace_events.c). It holds for
 * each event when it comes: a library declares its events when it is loaded.
 */
export class BootEvents {
  readonly #root: TraceDirectory;
  readonly #complain: (message: string) => void;
  readonly #requests: BootRequest[] = [];

  constructor(root: TraceDirectory, complain: (message: string) => void) {
    this.#root = root;
    this.#complain = complain;
  }

  /** Adds what is asked of an instance's events, for those that come from now on. */
  add(folder: string, requests: readonly EventRequest[]): void {
    for (const request of requests) this.#requests.push({ folder, request, names: requestedEvents(request) });
  }

  /**
   * An event came. Its threads are told all of it in this turn of the event loop. Of an open one only whether it is on: it has
   * no fields for filters and triggers, and comes again when it has.
   */
  came(event: EventName & { readonly isOpen?: boolean }): void {
    for (const { folder, request, names } of this.#requests) {
      if (!names(event)) continue;
      // All at once: a write is answered when the threads have obeyed, one of which may wait for what is asked of its event.
      const { pattern, enable } = request;
      const now = event.isOpen === true ? { pattern, ...(enable !== undefined && { enable }) } : request;
      for (const { path, text } of eventWrites(now, event)) void this.#write(`${folder}${path}`, text);
    }
  }

  async #write(path: string, text: string): Promise<void> {
    try {
      await appendTo(this.#root, path, text);
    } catch (error) {
      const { errno, message } = asTraceError(error);
      // Two patterns name the event: it has the same histogram already.
      if (errno === 'EEXIST' && text.startsWith('hist:')) return;
      // An instance that was removed asks for nothing any more; a thread that is blocked obeys later.
      if (errno !== 'ENOENT' && errno !== 'ETIMEDOUT') this.#complain(`writing '${text}' to ${path}: ${message}`);
    }
  }
}

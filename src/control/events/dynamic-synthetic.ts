import type { EventDefinition, TraceEvent } from '../../events/define.js';
import type { EventRegistry } from '../../events/registry.js';
import { listedEvent, SYSTEM } from '../../events/synthetic/synthetic-event.js';
import { SyntheticEvents, type SyntheticHost } from '../../events/synthetic/synthetic-events.js';
import type { DynamicEvent, DynamicEvents } from './dynamic-events.js';

/** A synthetic event in the list of dynamic events (synth_event_ops in kernel/trace/trace_events_synth.c). */
class DynamicSynthetic implements DynamicEvent {
  readonly type = 'synthetic_events';
  readonly #name: string;
  readonly #synthetic: SyntheticEvents;

  constructor(name: string, synthetic: SyntheticEvents) {
    this.#name = name;
    this.#synthetic = synthetic;
  }

  line(): string {
    return `s:${SYSTEM}/${listedEvent(this.#synthetic.find(this.#name)!)}`;
  }

  matches(group: string | undefined, event: string): boolean {
    return event === this.#name && (group === undefined || group === SYSTEM);
  }

  isBusy(): boolean {
    return this.#synthetic.find(this.#name)!.users > 0;
  }

  remove(): void {
    this.#synthetic.remove(this.#name);
  }
}

/** The synthetic events of a process, which are dynamic events too. */
export function dynamicSynthetics(
  events: EventRegistry,
  dynamic: DynamicEvents,
  logError: SyntheticHost['logError'],
): SyntheticEvents {
  const listed = new Map<TraceEvent, DynamicSynthetic>();
  const synthetic: SyntheticEvents = new SyntheticEvents({
    register(definition: EventDefinition) {
      const event = events.register(definition);
      const entry = new DynamicSynthetic(event.name, synthetic);
      listed.set(event, entry);
      dynamic.add(entry);
      return event;
    },
    unregister(event) {
      events.unregister(event);
      dynamic.delete(listed.get(event)!);
      listed.delete(event);
    },
    logError,
  });
  return synthetic;
}

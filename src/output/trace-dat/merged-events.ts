import { groupBy } from '../../base/group-by.js';
import type { EventFormat } from '../../events/define.js';
import { formatFile } from '../../events/format-file.js';
import { FIRST_ID, LAST_ID } from '../../events/registry.js';
import { symbolFields } from '../../events/symbol-fields.js';
import type { RecordChanges } from './rebase.js';

/** The id of records whose event is not known: no event has it. */
const UNKNOWN = LAST_ID;

/**
 * The events of the processes of a recording. An event has an id of its own in each process, because it got it at run time; in
 * the recording it has one. An event that another process has with other fields, or prints otherwise, is another event there:
 * `order_2`.
 */
export class MergedEvents {
  readonly #byId = new Map<number, EventFormat>();
  /** By all of the format but the id. */
  readonly #known = new Map<string, EventFormat>();
  readonly #names = new Set<string>();
  #lastId = FIRST_ID - 1;

  /**
   * Adds the events of one process. Returns what must change in its records, whose addresses are moved for those of group ftrace.
   */
  add(formats: readonly EventFormat[], slot: number): RecordChanges {
    const ids = new Map<number, number>();
    const addresses = new Map<number, readonly number[]>();
    for (const format of formats) {
      if (format.id < FIRST_ID) continue;
      ids.set(format.id, this.#merged(format).id);
      addresses.set(format.id, symbolFields(format));
    }
    return { slot, unknown: UNKNOWN, ids, addresses };
  }

  /** The events of each system. */
  systems(): ReadonlyMap<string, readonly EventFormat[]> {
    return groupBy(this.#byId.values(), ({ system }) => system);
  }

  #merged(format: EventFormat): EventFormat {
    const key = `${format.system}\n${formatFile({ ...format, id: 0 })}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const merged = { ...format, name: this.#freeName(format), id: this.#byId.has(format.id) ? this.#freeId() : format.id };
    this.#lastId = Math.max(this.#lastId, merged.id);
    this.#byId.set(merged.id, merged);
    this.#known.set(key, merged);
    this.#names.add(`${merged.system}:${merged.name}`);
    return merged;
  }

  #freeName({ system, name }: EventFormat): string {
    for (let n = 1; ; n++) {
      const free = n === 1 ? name : `${name}_${n}`;
      if (!this.#names.has(`${system}:${free}`)) return free;
    }
  }

  #freeId(): number {
    let id = this.#lastId + 1 < UNKNOWN ? this.#lastId + 1 : FIRST_ID;
    while (this.#byId.has(id)) id++;
    return id;
  }
}

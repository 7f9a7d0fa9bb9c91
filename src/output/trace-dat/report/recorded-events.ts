import type { EventFormat } from '../../../events/define.js';
import type { Events } from '../../../events/registry.js';

/** The events that a recording has formats of. */
export class RecordedEvents implements Events<EventFormat> {
  readonly #formats: readonly EventFormat[];
  readonly #byId: ReadonlyMap<number, EventFormat>;

  constructor(formats: readonly EventFormat[]) {
    this.#formats = formats;
    this.#byId = new Map(formats.map((format) => [format.id, format]));
  }

  get(id: number): EventFormat | undefined {
    return this.#byId.get(id);
  }

  find(system: string, name: string): EventFormat | undefined {
    return this.#formats.find((format) => format.system === system && format.name === name);
  }
}

/** The texts of trace_puts() by address, from lines `0xADDRESS : "TEXT"`. */
export function parsePrintkFormats(text: string): Map<string, string> {
  const formats = new Map<string, string>();
  for (const [, address, format] of text.matchAll(/^(?:0x)?([0-9a-f]+) : "(.*)"$/gm)) {
    formats.set(
      BigInt(`0x${address}`).toString(16),
      format!.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"'),
    );
  }
  return formats;
}

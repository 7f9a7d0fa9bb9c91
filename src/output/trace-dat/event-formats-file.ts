import type { EventFormat } from '../../events/define.js';
import { formatFile } from '../../events/format-file.js';
import { parseFormat } from '../../events/format-parse.js';

/** An event's format file behind the name of its system, as the parts of a recording have it. */
export const eventFormatText = (format: EventFormat): string => formatText(format.system, formatFile(format));

/** The text of a format file that was read. */
export const formatText = (system: string, format: string): string => `system: ${system}\n${format}\n`;

const SYSTEM = /^system: (\S+)\n/;

/** The events of such a text; one that was cut off at the end is left out. */
export function parseEventFormats(text: string): readonly EventFormat[] {
  return text.split(/^(?=system: )/m).flatMap((part) => {
    const system = SYSTEM.exec(part);
    if (system === null || !part.endsWith('\n\n')) return [];
    try {
      return [parseFormat(system[1]!, part.slice(system[0].length))];
    } catch {
      return [];
    }
  });
}

import { shortPlaceText } from '../../answers/place-text.js';
import type { Counter } from '../../answers/timeline/counters.js';
import type { Track } from '../../output/trace-dat/calls/call-visitor.js';
import type { CalledFunction } from '../../output/trace-dat/calls/called-functions.js';
import type { ColumnsWriter } from '../../timeline/columns-writer.js';

/** What the columns call each function, track and kind by a number: it is defined when it is first met. */
export class ColumnNumbers {
  readonly #writer: ColumnsWriter;
  /** By their index in the recording. */
  readonly #functions: number[] = [];
  readonly #tracks: number[] = [];
  #functionCount = 0;
  #trackCount = 0;
  readonly #instants = new Map<string, number>();
  readonly #slices = new Map<string, number>();
  readonly #counters = new Map<string, number>();
  /** The files of the application's functions. */
  readonly ownFiles = new Set<string>();

  constructor(writer: ColumnsWriter) {
    this.#writer = writer;
  }

  function(func: CalledFunction): number {
    const known = this.#functions[func.index];
    if (known !== undefined) return known;
    const { name, module, place, where, isOwn } = func;
    const number = this.#functionCount++;
    this.#functions[func.index] = number;
    if (isOwn && place !== undefined) this.ownFiles.add(place.file);
    const { file = '', line = 0, column = 0 } = place ?? {};
    this.#writer.defineFunction({ name, package: module, file, line, column, where: shortPlaceText(where), isOwn });
    return number;
  }

  track({ index, name, tid, process, instance }: Track): number {
    const known = this.#tracks[index];
    if (known !== undefined) return known;
    const number = this.#trackCount++;
    this.#tracks[index] = number;
    const title = instance === '' ? name : `${name} (${instance})`;
    this.#writer.defineTrack({ name: title, tid, pid: process.pid, process: process.name });
    return number;
  }

  instant(system: string, name: string): number {
    return numberIn(this.#instants, `${system}:${name}`, () => this.#writer.defineInstant({ system, name }));
  }

  slice(name: string): number {
    return numberIn(this.#slices, name, () => this.#writer.defineSlice({ name }));
  }

  counter({ process: { pid } }: Track, { name, unit }: Counter): number {
    return numberIn(this.#counters, `${pid} ${name}`, () => this.#writer.defineCounter({ name, unit, pid }));
  }
}

function numberIn(numbers: Map<string, number>, key: string, define: () => void): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const number = numbers.size;
  numbers.set(key, number);
  define();
  return number;
}

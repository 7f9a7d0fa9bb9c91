import type { TraceEvent } from '../../../events/define.js';
import { parseProbe } from '../../../probes/parse-line.js';
import { wordsOf } from '../../../probes/probe-command.js';
import type { ProbeArgument, ProbeDefinition } from '../../../probes/probe-definition.js';
import { RETURN_KINDS, rowOf } from '../../../probes/probe-definition.js';
import { probeEvent } from '../../../probes/probe-event.js';
import type { ElfFile } from '../../elf/elf-file.js';
import type { Machine } from '../../machine/machine.js';
import { MACHINES } from '../../machines/machines.js';
import type { InstructionPlace } from '../../text/code-place.js';
import type { NativeSite } from '../../text/site.js';
import { BLOCK, PROBE } from '../arena.js';
import type { CommonCode } from '../build-code.js';
import { registerNames } from '../fetch-code.js';
import { buildProbeHandler } from '../probe-handler.js';
import { buildPlaceThunk, buildProbedThunk } from '../probed-thunk.js';
import type { Thunk } from '../thunks.js';

/** A function of a program, its code as the file has it, and where it is. */
export interface ProbedFunctionOfProgram {
  readonly n: number;
  readonly site: NativeSite;
  readonly name: string;
  readonly address: number;
  readonly code: Buffer;
}

/** Where a program has what probes need. */
interface ProbeRoom {
  readonly machine: Machine;
  readonly elf: ElfFile;
  readonly common: CommonCode;
  /** The address of code. */
  readonly address: number;
  /** The address of the PROBE entries, and of words. */
  readonly memory: number;
  readonly tracer: 'function' | 'function_graph' | undefined;
}

/** Bytes for PROBE entries, and behind them for words. */
const TABLE_BYTES = 256 * PROBE.BYTES;
export const PROBE_MEMORY_BYTES = TABLE_BYTES + 256 * 8;
const FIRST_ID = 3000;

interface PlacedProbe {
  readonly definition: ProbeDefinition;
  readonly event: TraceEvent;
  readonly one: ProbedFunctionOfProgram;
  readonly where: 'entry' | 'exit' | number;
}

/** Probes of a program that are armed from its start, from lines as `kprobe_events` takes them. */
export class ProgramProbes {
  readonly #probes: readonly PlacedProbe[];
  /** Thunks of functions whose sites lead elsewhere. */
  readonly thunks = new Map<number, Thunk>();
  /** In the midst of functions. */
  readonly changes: { readonly address: number; readonly armed: Uint8Array; readonly idle: Uint8Array }[] = [];
  readonly code: { readonly address: number; readonly bytes: Uint8Array }[] = [];
  readonly memory = Buffer.alloc(PROBE_MEMORY_BYTES);
  #end: number;

  constructor(lines: readonly string[], functions: readonly ProbedFunctionOfProgram[], room: ProbeRoom) {
    const { machine } = room;
    this.#end = room.address;
    this.#probes = lines.map((line, i): PlacedProbe => {
      const definition = parsed(line, machine, functions);
      const { place, kind } = definition;
      if (place.kind !== 'symbol') throw new Error(`no function: ${line}`);
      const one = functions.find(({ name }) => name === place.symbol);
      if (one === undefined) throw new Error(`no such function: ${line}`);
      const where = RETURN_KINDS.includes(kind) ? 'exit' : place.offset === 0 ? 'entry' : place.offset;
      return { definition, event: { ...probeEvent(definition), id: FIRST_ID + i }, one, where };
    });
    const numbers = this.#probes.map((probe, i) => this.#handle(probe, i, room));
    for (const one of functions) {
      const numberOf = (where: 'entry' | 'exit'): number | undefined =>
        numbers[this.#probes.findIndex((probe) => probe.one === one && probe.where === where)];
      const [entry, exit] = [numberOf('entry'), numberOf('exit')];
      if (entry === undefined && exit === undefined) continue;
      const built = this.#put((at) => {
        const { bytes, thunk } = buildProbedThunk(room.common, at, { ...one, entry, exit, tracer: room.tracer });
        return { bytes, result: thunk };
      });
      this.thunks.set(one.n, built);
    }
    for (const [i, { one, where }] of this.#probes.entries()) {
      if (typeof where === 'number') this.#arm(one, where, numbers[i]!, room);
    }
  }

  get end(): number {
    return this.#end;
  }

  /** The name of a record's event, and its values as text; undefined: it is of no probe. */
  shown(id: number, record: DataView): string | undefined {
    const probe = this.#probes.find(({ event }) => event.id === id);
    if (probe === undefined) return undefined;
    const { event, definition } = probe;
    return [event.name, ...definition.args.map((argument) => `${argument.name}=${textOf(event, argument, record)}`)].join(' ');
  }

  #handle({ definition, event, one, where }: PlacedProbe, number: number, { common, memory }: ProbeRoom): number {
    const ip = one.address + (typeof where === 'number' ? where : 0);
    const words = memory + TABLE_BYTES + number * 8;
    const state = memory + PROBE_MEMORY_BYTES - 8;
    const probe = { event, args: definition.args, hits: words, missed: words + 4, writer: BLOCK.WRITER, state };
    const needs = { ip, addressOf: () => undefined };
    const handler = this.#put((at) => ({
      bytes: buildProbeHandler(common, at, [{ ...probe, isRecorded: true, isHeard: false }], needs),
      result: at,
    }));
    const entry = number * PROBE.BYTES;
    this.memory.writeBigUInt64LE(BigInt(handler), entry + PROBE.HANDLER);
    this.memory.writeBigUInt64LE(BigInt(ip), entry + PROBE.IP);
    this.memory.writeBigUInt64LE(BigInt(words + 4), entry + PROBE.MISSED);
    return number;
  }

  #arm(
    { code, address, site }: ProbedFunctionOfProgram,
    offset: number,
    number: number,
    { common, machine, elf }: ProbeRoom,
  ): void {
    const { placeBody, placeJump } = MACHINES[machine.name].places;
    const place = placesOf(elf, { code, address, site }).find((one) => one.offset === offset);
    if (place === undefined || place.reason !== undefined) throw new Error(place?.reason ?? 'no instruction begins there');
    const thunk = this.#put((at) => ({
      bytes: buildPlaceThunk(common, at, number, (body) => placeBody({ code, address }, place, body)),
      result: at,
    }));
    this.changes.push({
      address: address + offset,
      armed: placeJump(address + offset, place.length, thunk),
      idle: Uint8Array.from(code.subarray(offset, offset + place.length)),
    });
  }

  #put<T>(build: (at: number) => { readonly bytes: Uint8Array; readonly result: T }): T {
    const address = Math.ceil(this.#end / 16) * 16;
    const { bytes, result } = build(address);
    this.code.push({ address, bytes });
    this.#end = address + bytes.length;
    return result;
  }
}

/** The places of a function; nothing is known of jumps from others. */
export function placesOf(
  elf: ElfFile,
  { code, address, site }: Pick<ProbedFunctionOfProgram, 'code' | 'address' | 'site'>,
): readonly InstructionPlace[] {
  const { PlaceFinder } = MACHINES[elf.machine].places;
  return new PlaceFinder(elf, () => []).places(code, address, [site.address - address, site.resume - address]);
}

function parsed(line: string, machine: Machine, functions: readonly ProbedFunctionOfProgram[]): ProbeDefinition {
  const probe = parseProbe('kprobe_events', wordsOf(line), {
    symbols: (_module, name) => functions.filter((one) => one.name === name).length,
    params: () => [],
    file: () => 'ENOENT',
    event: () => undefined,
    tracepoint: () => undefined,
    registersAt: () => registerNames(machine.probes),
  });
  if (probe === undefined) throw new Error(`no probe: ${line}`);
  return probe;
}

function textOf(event: TraceEvent, { name, type }: ProbeArgument, record: DataView): string {
  const { offset } = event.fields[name]!;
  const { size, signed, isText = false } = rowOf(type.name);
  if (isText) {
    const location = record.getUint32(offset, true);
    const bytes = new Uint8Array(record.buffer, record.byteOffset + (location & 0xffff), location >>> 16);
    return bytes.length === 0 ? '(fault)' : Buffer.from(bytes.subarray(0, -1)).toString();
  }
  const values = Array.from({ length: type.count ?? 1 }, (_, i) => {
    const bytes = Buffer.from(record.buffer, record.byteOffset + offset + i * size, size);
    if (size === 8) return signed ? bytes.readBigInt64LE() : bytes.readBigUInt64LE();
    return signed ? bytes.readIntLE(0, size) : bytes.readUIntLE(0, size);
  });
  return values.join(',');
}

import { readFileSync, readlinkSync } from 'node:fs';
import { parseAddress } from '../../base/address.js';
import { attempt } from '../../base/attempt.js';
import { openElf } from '../elf/elf-file.js';
import { ProcessMemory } from '../process/process-memory.js';
import { instructionLines } from './function-listing.js';
import { shownInstructions } from './instructions.js';

/**
 * Machine code that V8 has made of functions of JavaScript, in a process that was started with `--perf-basic-prof`: V8 then
 * writes into /tmp/perf-PID.map where each piece of code lies (tools/perf/Documentation/jit-interface.txt in the kernel's
 * sources).
 */

/** The compilers, by the sign that V8 puts before a function's name. Bytecode (`~`) is no machine code. */
const COMPILERS = { '*': 'TurboFan', '+': 'Maglev', '^': 'Sparkplug, which does not optimize' } as const;
type Sign = keyof typeof COMPILERS;

/** Code of a function. */
export interface V8Code {
  readonly name: string;
  readonly compiler: (typeof COMPILERS)[Sign];
  /** `FILE:LINE:COLUMN` of the function. */
  readonly place: string;
  readonly address: number;
  /** In bytes. */
  readonly size: number;
}

const LINE = /^([\da-f]+) ([\da-f]+) \w+:([*+^])(\S*) (.+:\d+:\d+)$/;

/**
 * The code of functions of a name that V8's map lists: of each function and compiler the youngest piece, since V8 throws older
 * ones away.
 */
export function v8CodeOf(map: string, name: string): readonly V8Code[] {
  const found = new Map<string, V8Code>();
  for (const line of map.split('\n')) {
    if (!line.includes(name)) continue;
    const [, address, size, sign, known, place] = LINE.exec(line) ?? [];
    if (known !== name) continue;
    const compiler = COMPILERS[sign as Sign];
    found.set(`${compiler} ${place}`, {
      name,
      compiler,
      place: place!,
      address: parseAddress(address!),
      size: Number.parseInt(size!, 16),
    });
  }
  return [...found.values()];
}

/** V8's map of a process; undefined: it was started without the flag. */
export const v8Map = (pid: number): string | undefined =>
  attempt(() => readFileSync(`/proc/${pid}/root/tmp/perf-${namespacePid(pid)}.map`, 'utf8'));

/** The number that a process has for itself. */
function namespacePid(pid: number): string {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '';
  return /^NSpid:.*\s(\d+)$/m.exec(status)?.[1] ?? String(pid);
}

const machineOf = (pid: number) => openElf(`/proc/${pid}/exe`, readlinkSync(`/proc/${pid}/exe`)).machine;

/** What a function's site does in its code, by whether something subscribes to it; undefined: it has none. */
const STATES = {
  idle: 'idle: V8 knows the value of its cell and has left it out. This code depends on the cell: V8 throws it away when the cell is written',
  armed: 'armed: the cell holds the trampoline, which is called at the entry, returns and ends',
} as const;
export type V8SiteState = keyof typeof STATES;

/** The listing of a piece of code, as the process has it now. @throws TraceError as ProcessMemory */
export function v8Listing(pid: number, code: V8Code, state: V8SiteState | undefined, useObjdump = true): string {
  const machine = machineOf(pid);
  const memory = new ProcessMemory(pid);
  try {
    const bytes = memory.read(code.address, code.size);
    return [
      `${code.name} at 0x${code.address.toString(16)}, ${code.size} bytes, ${machine}, by ${code.compiler}`,
      code.place,
      `site: ${state === undefined ? 'none, or not known' : STATES[state]}`,
      '',
      'now:',
      ...instructionLines(machine, shownInstructions(machine, bytes, code.address, useObjdump), () => undefined),
      '',
    ].join('\n');
  } finally {
    memory.close();
  }
}

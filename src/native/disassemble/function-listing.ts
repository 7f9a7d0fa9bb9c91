import { upToPage } from '../../base/page.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { NativeMachine } from '../elf/elf-file.js';
import { MACHINES } from '../machines/machines.js';
import type { NativeFunction, NativeText } from '../text/native-text.js';
import type { NativeSite, SiteForm } from '../text/site.js';
import { shownInstructions } from './instructions.js';
import type { ShownInstruction } from './machine-listing.js';

/** A function's text in the states of its site, as `fentry disassemble` prints it. */

/** What is to be shown. */
export interface ListedFunction {
  readonly text: NativeText;
  readonly one: NativeFunction;
  /** The function's bytes in the object's file. */
  readonly compiled: Uint8Array;
  /** The function's bytes in a process that runs; absent: there is none. */
  readonly now?: Uint8Array;
  /** The name of an address: `sum+0x4`; undefined: it has none. */
  readonly nameOf: (address: number) => string | undefined;
  readonly useObjdump?: boolean;
  /** What stands before the instruction at an address: the line of its source. */
  readonly heads?: ReadonlyMap<number, string>;
}

/** Where an armed site goes: behind the object, as in a process; in a kernel, to its own trampoline of this name. */
const TRAMPOLINE = 'ftrace_caller';
/** Where the moved instructions are shown: behind the trampoline. */
const MOVED = 0x100;

const FORMS: Readonly<Record<SiteForm, string>> = {
  nop: 'NOPs',
  fentry: 'a call of __fentry__',
  mcount: 'a call of mcount',
  xray: 'an entry of XRay',
  jump: 'its first instructions, which a jump takes the place of',
};

const hex = (value: number): string => (value < 0 ? BigInt.asUintN(64, BigInt(value)) : value).toString(16);
/** Instructions whose operand is a place of the program, however small the number is. */
const BRANCH = /^(?:bnd )?(?:call|j[a-z]+|loop\w*|xbegin|b|bl|b\.\w+|cbn?z|tbn?z|adrp?)\b/;
/** From here on a number is more likely an address than a count. */
const LEAST_ADDRESS_DIGITS = 4;

/** Names for the addresses in an instruction: those after which no name stands yet. */
const named = (text: string, nameOf: (address: number) => string | undefined): string =>
  text.replace(/0x([\da-f]{1,16})$/, (whole, digits: string) => {
    if (digits.length < LEAST_ADDRESS_DIGITS && !BRANCH.test(text)) return whole;
    const name = nameOf(Number(BigInt.asIntN(64, BigInt(`0x${digits}`))));
    return name === undefined ? whole : `${whole} <${name}>`;
  });

/** A line for each instruction: its address, its bytes, its text with names, and before it what is to stand there. */
export function instructionLines(
  machine: NativeMachine,
  shown: readonly ShownInstruction[],
  nameOf: ListedFunction['nameOf'],
  heads?: ListedFunction['heads'],
): string[] {
  const { bytesWidth, shownBytes } = MACHINES[machine].listing;
  return shown.flatMap(({ address, bytes, text }) => {
    const code = shownBytes(bytes).padEnd(bytesWidth);
    const head = heads?.get(address);
    return [...(head === undefined ? [] : [head]), `  ${hex(address)}  ${code}  ${named(text, nameOf)}`.trimEnd()];
  });
}

/** What the bytes of a site are now. */
function stateOf({ compiled, nop, address }: NativeSite, now: Uint8Array, { text: { machine }, nameOf }: ListedFunction): string {
  const hasNop = !sameBytes(nop, compiled);
  if (hasNop && sameBytes(now, nop)) return 'NOP';
  if (sameBytes(now, compiled)) return hasNop ? 'as compiled' : 'idle, which is as compiled';
  const branch = MACHINES[machine].listing.branch(Buffer.from(now), address);
  return branch === undefined ? 'changed by something else' : `armed, ${branch.verb} ${named(`0x${hex(branch.to)}`, nameOf)}`;
}

/** The text of a function in all states, with a line of its site. */
export function functionListing(listed: ListedFunction): string {
  const { text, one, compiled, now, useObjdump, nameOf, heads } = listed;
  const start = text.base + one.start;
  const listing = (bytes: Uint8Array, address: number): string[] =>
    instructionLines(text.machine, shownInstructions(text.machine, bytes, address, useObjdump), nameOf, heads);
  const module = text.module === '' ? '' : ` [${text.module}]`;
  const out = [`${one.name}${module} at 0x${hex(start)}, ${compiled.length} bytes, ${text.machine}`];
  const { site } = one;
  if (site === undefined) {
    return [...out, `no site: ${one.reason}`, '', 'as compiled:', ...listing(now ?? compiled, start), ''].join('\n');
  }
  const offset = site.address - start;
  const table = site.table === undefined ? '' : `, listed in ${site.table}`;
  out.push(`site: ${FORMS[site.form]}; ${site.compiled.length} bytes at ${one.name}+0x${hex(offset)}${table}`);
  if (now !== undefined) {
    const bytes = now.subarray(offset, offset + site.compiled.length);
    out.push('', `now (${stateOf(site, bytes, listed)}):`, ...listing(now, start));
  }
  out.push(
    '',
    'as compiled:',
    ...listing(now === undefined ? compiled : site.compiled, now === undefined ? start : site.address),
  );
  if (!sameBytes(site.nop, site.compiled)) out.push('', 'NOP:', ...listing(site.nop, site.address));
  const trampoline = text.functions.find(({ name }) => name === TRAMPOLINE);
  const target = trampoline ? text.base + trampoline.start : upToPage(text.base + text.length);
  const armed = shownInstructions(
    text.machine,
    site.armed(target, site.form === 'jump' ? 'jump' : 'call'),
    site.address,
    useObjdump,
  );
  out.push(
    '',
    'armed:',
    ...instructionLines(text.machine, armed, (address) => (address === target ? TRAMPOLINE : nameOf(address))),
  );
  if (site.form === 'jump') out.push('', 'its first instructions, moved:', ...listing(site.body(target + MOVED), target + MOVED));
  return [...out, ''].join('\n');
}

import { asTraceError } from '../../base/errno.js';
import { isRefused, Refused } from '../../base/refused.js';
import type { RegisterParameter } from '../../base/register-parameter.js';
import { ARGUMENT_REGISTERS } from '../../events/register-arguments.js';
import type {
  AuthorsPlace,
  CodeLine,
  CodePlace,
  DebugInformation,
  InlinedLines,
  LineCopy,
  TextFunction,
  VisibleVariable,
} from '../../ftrace/text.js';
import type { FetchedVariable } from '../../port/port.js';
import { fetchRoot } from '../../probes/fetch-root.js';
import type { Fetch, ProbeType } from '../../probes/probe-definition.js';
import { typeName } from '../dwarf/c-type.js';
import type { DebugEntry } from '../dwarf/debug-entry.js';
import { type CodePoint, copyStart, type DebugFunction, type LocatedVariable } from '../dwarf/debug-function.js';
import { unlessDamaged } from '../dwarf/dwarf-reader.js';
import { fetchVariable, variableMeant } from '../dwarf/fetch-variable.js';
import { AT, TAG } from '../dwarf/names.js';
import { ObjectDebug, type OwnedRow } from '../dwarf/object-debug.js';
import type { ElfFile } from '../elf/elf-file.js';
import { demangled } from './demangle.js';
import type { NativeSite } from './site.js';
import { symbolName } from './symbol-name.js';

/** Where an object is, and how its file is read. */
export interface DebuggedObject {
  readonly file: string;
  /** The first address of the object's file that is loaded: from there offsets of its functions count. */
  readonly from: number;
  readonly bias: number;
  open(): ElfFile;
}

/** The debug information of an object that is mapped into a process. */
export class DebugText implements DebugInformation {
  readonly #object: DebuggedObject;
  #debug: ObjectDebug | Refused | undefined;
  readonly #known = new Map<number, DebugFunction | undefined>();

  constructor(object: DebuggedObject) {
    this.#object = object;
  }

  get lack(): string | undefined {
    const debug = this.#read();
    return isRefused(debug) ? debug.why : undefined;
  }

  placeOf(one: TextFunction): AuthorsPlace | undefined {
    const entry = this.#functionOf(one)?.entry.with(AT.declLine);
    return entry && this.#declared(entry);
  }

  placeAt(offset: number): AuthorsPlace | undefined {
    const debug = this.#found();
    return debug && unlessDamaged(() => debug.callsAt(offset + this.#object.from))?.[0]?.place;
  }

  linesOf(one: TextFunction): readonly CodeLine[] {
    const debug = this.#found();
    const known = this.#functionOf(one);
    const file = this.placeOf(one)?.file;
    if (debug === undefined || known === undefined) return [];
    const [start, end] = this.#addresses(one);
    return (unlessDamaged(() => debug.rowsOf(known)) ?? [])
      .filter((row) => row.address >= start && row.address < end && row.file === file)
      .map(({ address, line }) => ({ offset: address - start, line }));
  }

  fileNamed(path: string): string | undefined {
    const debug = this.#found();
    return debug && unlessDamaged(() => debug.fileNamed(path));
  }

  linesOfFile(path: string): ReadonlySet<number> {
    return new Set(this.#rowsOfFile(path).map(({ line }) => line));
  }

  onLine(path: string, line: number): readonly LineCopy[] {
    const found = new Map<DebugEntry, number[]>();
    for (const { address, owner } of this.#rowsOfFile(path).filter((row) => row.line === line)) {
      const others = found.get(owner);
      if (others === undefined) found.set(owner, [address - this.#object.from]);
      else others.push(address - this.#object.from);
    }
    return Array.from(found, ([owner, offsets]) => ({ offsets, isOwn: owner.tag === TAG.subprogram }));
  }

  onInlinedLine(name: string, line: number): readonly LineCopy[] {
    const debug = this.#found();
    if (debug === undefined) return [];
    return this.#copiesOf(debug, name).flatMap(({ entry, origin, in: holder }) => {
      const from = copyStart(entry);
      if (from === undefined) return [];
      const { from: start } = this.#object;
      if (line === 0) return [{ offsets: [from - start], isOwn: false }];
      const declared = origin?.with(AT.declLine);
      const place = declared && this.#declared(declared);
      const rows = place === undefined ? [] : debug.rowsOf(holder, true);
      const found = rows.filter(
        ({ owner, file, line: at }) => owner === entry && file === place?.file && at === place.line + line,
      );
      return found.length === 0 ? [] : [{ offsets: found.map(({ address }) => address - start), isOwn: false }];
    });
  }

  isInlined(name: string): boolean {
    const debug = this.#found();
    return debug !== undefined && this.#copiesOf(debug, name).length > 0;
  }

  linesOfInlined(name: string): InlinedLines | undefined {
    const debug = this.#found();
    const copies = debug === undefined ? [] : this.#copiesOf(debug, name);
    const declared = copies[0]?.origin?.with(AT.declLine);
    const place = declared && this.#declared(declared);
    if (debug === undefined || place === undefined) return undefined;
    const entries = new Set(copies.map(({ entry }) => entry));
    const rows = copies.flatMap(({ in: holder }) => unlessDamaged(() => debug.rowsOf(holder, true)) ?? []);
    const own = rows.filter(({ owner, file }) => entries.has(owner) && file === place.file);
    return { ...place, lines: new Set(own.map(({ line }) => line)) };
  }

  variables(one: TextFunction, place: CodePlace): readonly VisibleVariable[] {
    return (this.#variablesAt(one, place) ?? [])
      .filter(({ location }) => location.kind !== 'nowhere')
      .map(({ name, kind, type }) => ({ name, kind, type: typeName(type) }));
  }

  /** Port.fetchVariable */
  fetch(one: TextFunction, place: CodePlace, fetch: Fetch, asked: ProbeType | undefined): FetchedVariable | Refused {
    const { name, path } = named(fetch);
    const words = [name, ...path];
    const { lack } = this;
    if (lack !== undefined) return new Refused(lack);
    const known = this.#variablesAt(one, place);
    if (known === undefined) return new Refused(`${this.#object.file} has no debug information of ${one.name}`);
    const damaged = new Refused(`the debug information of ${name} is damaged`);
    const meant = unlessDamaged(() => variableMeant(known, words));
    if (meant !== undefined) return unlessDamaged(() => fetchVariable(meant.variable, meant.path, asked)) ?? damaged;
    const names = known.flatMap((variable) => (variable.kind === 'module variable' ? [] : [variable.name]));
    return new Refused(`${name} is no variable of ${one.name}${names.length === 0 ? '' : `, which has ${names.join(', ')}`}`);
  }

  registersOf(one: TextFunction): readonly RegisterParameter[] | undefined {
    const entry = { offset: 0 };
    const known = this.lack === undefined ? this.#variablesAt(one, entry) : undefined;
    // A record has no more of them.
    const registers = this.#found()?.abi.ARGUMENT_REGISTERS.slice(0, ARGUMENT_REGISTERS) ?? [];
    return known
      ?.filter(({ kind }) => kind === 'parameter')
      .map(({ name }) => registerParameter(name, registers, this.fetch(one, entry, { kind: 'variable', name }, undefined)));
  }

  #variablesAt(one: TextFunction, { offset, isOwn = false }: CodePlace): readonly LocatedVariable[] | undefined {
    const debug = this.#found();
    const known = this.#functionOf(one);
    if (debug === undefined || known === undefined) return undefined;
    const [start] = this.#addresses(one);
    const { bias, from } = this.#object;
    const { site } = one as { readonly site?: NativeSite };
    // At its entry a probe is in the function's site, before which little or nothing has run.
    const address = offset === 0 && site?.hasArguments === true ? site.address - bias : start + offset;
    const point: CodePoint = {
      address: Math.max(address, from),
      isEntry: offset === 0,
      isOwn,
      bias,
      frame: () => debug.frames.at(address),
    };
    return unlessDamaged(() => known.variables(point));
  }

  #declared(entry: DebugEntry): AuthorsPlace | undefined {
    const debug = this.#found();
    const line = entry.number(AT.declLine);
    // A definition has only what differs from its declaration.
    const holder = entry.with(AT.declFile);
    const number = holder?.number(AT.declFile);
    const file = number === undefined ? undefined : unlessDamaged(() => debug?.fileOf(holder!, number));
    return file === undefined || line === undefined ? undefined : { file, line };
  }

  #rowsOfFile(path: string): readonly OwnedRow[] {
    const debug = this.#found();
    return debug === undefined ? [] : (unlessDamaged(() => debug.rowsOfFile(path)) ?? []);
  }

  #copiesOf(debug: ObjectDebug, name: string): ReturnType<ObjectDebug['inlined']> {
    return unlessDamaged(() => debug.inlined(name, (linked) => demangled(linked).map(symbolName))) ?? [];
  }

  #addresses({ start, end }: TextFunction): readonly [start: number, end: number] {
    const { from } = this.#object;
    return [start + from, end + from];
  }

  #functionOf(one: TextFunction): DebugFunction | undefined {
    const { site } = one as { readonly site?: NativeSite };
    const found = this.#functionAt(this.#addresses(one)[0], one.name);
    // For GCC on arm64 a function begins behind the NOPs of its site.
    return found ?? (site && this.#functionAt(site.resume - this.#object.bias, one.name));
  }

  #functionAt(address: number, symbol: string): DebugFunction | undefined {
    const debug = this.#found();
    if (debug === undefined) return undefined;
    if (!this.#known.has(address))
      this.#known.set(
        address,
        unlessDamaged(() => debug.functionAt(address, symbol)),
      );
    return this.#known.get(address);
  }

  #found(): ObjectDebug | undefined {
    const debug = this.#read();
    return isRefused(debug) ? undefined : debug;
  }

  #read(): ObjectDebug | Refused {
    this.#debug ??= this.#opened();
    return this.#debug;
  }

  #opened(): ObjectDebug | Refused {
    try {
      return new ObjectDebug(this.#object.open());
    } catch (error) {
      const isDamaged = error instanceof RangeError;
      return new Refused(isDamaged ? `the debug information of ${this.#object.file} is damaged` : asTraceError(error).message);
    }
  }
}

/** The variable with which a fetch begins, and the members that follow. */
function named(fetch: Fetch): { readonly name: string; readonly path: readonly string[] } {
  const path: string[] = [];
  let root = fetch;
  for (; root.kind === 'member'; root = root.of) path.unshift(root.name);
  return { name: root.kind === 'variable' ? root.name : root.kind, path };
}

const POINTER = { bits: 64, shown: 'hex' } as const;

/** A parameter of a type that a register has as it is; a pointer to a text is fetched as what it leads to. */
function registerParameter(name: string, registers: readonly string[], found: FetchedVariable | Refused): RegisterParameter {
  if (isRefused(found)) return { name, register: undefined, ...POINTER };
  const root = fetchRoot(found.fetch);
  const index = root.kind === 'register' ? registers.indexOf(root.name) : -1;
  const register = index < 0 ? undefined : index;
  const [, letter, bits] = /^([sux])(8|16|32|64)$/.exec(found.type.name) ?? [];
  if (found.fetch !== root || letter === undefined) {
    const isChar = found.type.name === 'char' && found.fetch === root;
    return { name, register, ...(isChar ? { bits: 8, shown: 'signed' } : POINTER) };
  }
  const shown = letter === 's' ? 'signed' : letter === 'u' ? 'unsigned' : 'hex';
  return { name, register, bits: Number(bits) as RegisterParameter['bits'], shown };
}

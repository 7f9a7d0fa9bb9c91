import assert from 'node:assert/strict';
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT_REGISTER, EXIT_UNWOUND, FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { createRingIn, RingBufferReader } from '../../../ring-buffer/index.js';
import * as ring from '../../../ring-buffer/layout.js';
import { SharedMemory } from '../../../ring-buffer/ring-memory.js';
import { ElfFile } from '../../elf/elf-file.js';
import type { Machine } from '../../machine/machine.js';
import { LOCAL_MACHINE } from '../../machines/machines.js';
import { testFolder } from '../../testing/programs.js';
import { demangled } from '../../text/demangle.js';
import { linkObject } from '../../text/link-object.js';
import type { NativeFunction } from '../../text/native-text.js';
import { symbolName } from '../../text/symbol-name.js';
import {
  type ArenaLayout,
  arenaLayout,
  BLOCK,
  blockAt,
  CLOCK,
  FRAME,
  FUNCTION,
  GATE,
  OPEN,
  OPERATION,
  SHARED,
  WRITER,
} from '../arena.js';
import { buildCommonCode, type CommonCode } from '../build-code.js';
import { OWNERS_AT, THREAD_WORDS, threadWordsBytes } from '../thread-words.js';
import { buildListThunk, buildThunks, type FunctionThunks, listUse, type Thunk, type ThunkedFunction } from '../thunks.js';
import { unwindTable } from '../unwind-table.js';
import { writerState } from '../writer-state.js';
import { HARNESS } from './harness-source.js';
import { PROBE_MEMORY_BYTES, type ProbedFunctionOfProgram, ProgramProbes } from './program-probes.js';

interface Cleanup {
  after(run: () => void): void;
}

/** Addresses that a program which is not position-independent leaves free: its heap may lie in the first GiB behind it. */
const CODE = 0x60000000;
const THUNKS = CODE + 0x20000;
const ARENA = 0x100000000000;
const RINGS = 0x110000000000;
const RING_BYTES = 1 << 18;
const FRAMES = 4096;
const MOST_ADDRESS = 2 ** 47;

/** How programs of a machine are made and run. */
export interface Platform {
  readonly machine: Machine;
  readonly c: string;
  readonly cpp: string;
  readonly nm: string;
  /** Where a program must lie, so that branches reach the code. */
  readonly link: readonly string[];
  /** What runs a program. */
  readonly run: readonly string[];
}

const OWN: Platform = { machine: LOCAL_MACHINE, c: 'gcc', cpp: 'g++', nm: 'nm', link: [], run: [] };

/** A program that was compiled with sites. */
export interface CompiledProgram {
  readonly platform: Platform;
  readonly path: string;
  readonly folder: string;
  readonly functions: readonly NativeFunction[];
  readonly base: number;
  readonly tidOffset: number;
}

interface CompileOptions {
  readonly language?: 'c' | 'c++';
  readonly jumps?: boolean;
  readonly platform?: Platform;
}

/** Compiles a program with the harness; only its own functions get sites. */
export function compileTraced(
  t: Cleanup,
  source: string,
  options: readonly string[],
  { language = 'c', jumps = false, platform = OWN }: CompileOptions = {},
): CompiledProgram {
  const folder = testFolder(t);
  const name = (file: string): string => join(folder, file);
  const run = (...command: string[]): void => {
    execFileSync(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
  };
  const compiler = language === 'c' ? platform.c : platform.cpp;
  writeFileSync(name(`program.${language === 'c' ? 'c' : 'cc'}`), source);
  run(compiler, '-fno-pie', '-c', ...options, '-o', 'program.o', `program.${language === 'c' ? 'c' : 'cc'}`);
  const link = ['-no-pie', '-pthread', ...platform.link, ...(options.includes('-pg') ? ['-pg'] : [])];
  run(compiler, ...link, '-o', 'program', harness(platform), 'program.o');
  const path = name('program');
  const own = definedFunctions(platform, name('program.o'));
  const text = linkObject(new ElfFile(readFileSync(path), path), { module: '', firstFunction: 0, jumps });
  const functions = text.functions.filter((one) => own.has(one.name) && one.site !== undefined);
  return { platform, path, folder, functions, base: text.base, tidOffset: tidOffset(platform, folder) };
}

const harnesses = new Map<Platform, string>();

/** The path of the harness for a platform, which is compiled once for all tests of a process. */
function harness(platform: Platform): string {
  const known = harnesses.get(platform);
  if (known !== undefined) return known;
  const folder = testFolder({ after: (run) => void process.once('exit', run) });
  writeFileSync(join(folder, 'harness.c'), HARNESS);
  execFileSync(platform.c, ['-O1', '-fno-pie', '-c', '-o', 'harness.o', 'harness.c'], { cwd: folder });
  const path = join(folder, 'harness.o');
  harnesses.set(platform, path);
  return path;
}

/** The symbols of the functions that an object defines. */
function definedFunctions({ nm }: Platform, object: string): ReadonlySet<string> {
  const text = execFileSync(nm, ['--defined-only', object], { encoding: 'utf8' });
  const names = [...text.matchAll(/^\S+ [TtWw] (\S+)$/gm)].map(([, name]) => name!).filter((name) => !/[.]cold$/.test(name));
  return new Set(demangled(names).map(symbolName));
}

const knownOffsets = new Map<Platform, number>();

/** Where the C library keeps a thread's id. */
function tidOffset(platform: Platform, folder: string): number {
  const known = knownOffsets.get(platform);
  if (known !== undefined) return known;
  const source = `#include <stdio.h>
    #include <unistd.h>
    #ifdef __aarch64__
    #define FIRST -2304
    #else
    #define FIRST 64
    #endif
    int main(void) {
      char *tp = (char *)__builtin_thread_pointer();
      for (int i = FIRST; i < FIRST + 2240; i += 4) if (*(int *)(tp + i) == getpid()) { printf("%d", i); return 0; }
      return 1;
    }`;
  writeFileSync(join(folder, 'tid.c'), source);
  execFileSync(platform.c, ['-o', 'tid', 'tid.c'], { cwd: folder });
  const [command, ...args] = [...platform.run, join(folder, 'tid')];
  const offset = Number(execFileSync(command!, args, { encoding: 'utf8' }));
  knownOffsets.set(platform, offset);
  return offset;
}

/** The address of a field of the first thread's writer. */
export function writerField(program: CompiledProgram, field: number): number {
  const layout = arenaLayout({ threads: 1, frames: FRAMES, functions: program.functions.length });
  return ARENA + blockAt(layout, 0) + BLOCK.WRITERS + field;
}

/** How a program is traced. */
export interface TraceOptions {
  /** Absent: there are only probes. */
  readonly tracer?: 'function' | 'function_graph';
  /** Lines as of kprobe_events. */
  readonly probes?: readonly string[];
  readonly overwrite?: boolean;
  readonly ringBytes?: number;
  readonly threads?: number;
  readonly maxDepth?: number;
  readonly threshold?: number;
  /** funcgraph-retval */
  readonly results?: boolean;
  readonly graphFunctions?: readonly string[];
  readonly graphNotrace?: readonly string[];
  readonly only?: (name: string) => boolean;
  /**
   * The functions have a list of operations, which records them as `function` does; function_graph comes behind it, if it is the
   * tracer.
   */
  readonly lists?: boolean;
  /** The sites are armed and disarmed all the time, without a stop. */
  readonly live?: boolean;
  /**
   * The program plays a thread of JavaScript, whose frames are of the function with this name. NATIVE_JAVASCRIPT tells it the
   * addresses of `bind`, of its block and of `counter`, the function's number, and the addresses of `unbind`, of `close` and of
   * the arena. The block is the last one, and so are its records.
   */
  readonly javascript?: string;
}

/** A record of a trace. */
export interface TraceRecord {
  readonly event: string;
  readonly name: string;
  readonly tid: number;
  readonly ts: number;
  readonly depth: number;
  readonly unwound: boolean;
  readonly parent: number;
  /** What the call returned, where the record has it. */
  readonly result?: number;
}

/** What came of a traced run. */
export interface TracedRun {
  readonly output: string;
  readonly status: number | null;
  readonly signal: string | null;
  /** By thread, in the order in which the threads took their blocks. */
  readonly records: readonly (readonly TraceRecord[])[];
  readonly recorded: number;
  readonly overrun: number;
  /** Not recorded: nested in another event, no room, no block, no ring. */
  readonly dropped: number;
  /** Frames that were left open. */
  readonly open: number;
  readonly tooDeep: number;
}

/** Runs a program as it is. */
export function runPlain(program: CompiledProgram, ...args: readonly string[]): string {
  const { stdout, status, signal } = run(program, args, process.env);
  if (status !== 0) throw new Error(`the program ended with ${status ?? signal}: ${stdout}`);
  return stdout;
}

function run({ platform, path }: CompiledProgram, args: readonly string[], env: NodeJS.ProcessEnv): SpawnSyncReturns<string> {
  const [command, ...before] = [...platform.run, path];
  return spawnSync(command!, [...before, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env });
}

/** Runs a program that is traced from its start. */
export function runTraced(program: CompiledProgram, options: TraceOptions, ...args: readonly string[]): TracedRun {
  const { folder, functions, tidOffset, base } = program;
  const { machine } = program.platform;
  const threads = options.threads ?? 24;
  const layout = arenaLayout({ threads, frames: FRAMES, functions: functions.length });
  // One page for the instance's words, then the rings, then what probes have.
  const first = createRingIn((bytes) => new ArrayBuffer(bytes), options.ringBytes ?? RING_BYTES);
  const ringBytes = Math.ceil(first.byteLength / 4096) * 4096;
  const ringsEnd = 4096 + threads * ringBytes;
  const probeMemory = RINGS + ringsEnd;
  const hasJavaScript = options.javascript !== undefined;
  const places = { address: CODE, arena: ARENA, probes: probeMemory };
  const common = buildCommonCode({ machine, ...places, layout, tidOffset, pid: 0, hasJavaScript });
  const ready = hasJavaScript ? threads - 1 : threads;
  const traced = functions
    .map((one, n) => ({ n, name: one.name, site: one.site! }))
    .filter(({ name }) => options.only?.(name) ?? true);
  const thunks = buildThunks(common, THUNKS, traced);
  const lists = options.lists ? placeLists(common, THUNKS + thunks.bytes.length, traced, thunks.thunks, options.tracer) : [];
  const table = unwindTable({ machine, arena: ARENA, start: THUNKS, bytes: thunks.bytes.length });
  const listsEnd = lists.at(-1)?.end ?? THUNKS + thunks.bytes.length;
  const elf = elfOf(program);
  const room = { machine, elf, common, address: listsEnd, memory: probeMemory, tracer: options.tracer };
  const probes = new ProgramProbes(options.probes ?? [], probedFunctions(program, elf), room);
  const tableAt = Math.ceil((probes.end - CODE) / 16) * 16;
  const code = Buffer.alloc(tableAt + table.length);
  code.set(common.bytes);
  code.set(thunks.bytes, THUNKS - CODE);
  for (const { thunk, bytes } of lists) code.set(bytes, thunk.address - CODE);
  for (const { address, bytes } of probes.code) code.set(bytes, address - CODE);
  code.set(table, tableAt);
  writeFileSync(join(folder, 'code'), code);

  const rings = Buffer.alloc(ringsEnd + PROBE_MEMORY_BYTES + threadWordsBytes(threads));
  const threadWords = RINGS + ringsEnd + PROBE_MEMORY_BYTES;
  rings.set(probes.memory, ringsEnd);
  const arena = Buffer.alloc(layout.bytes);
  const long = (offset: number, value: number | bigint): void => void arena.writeBigUInt64LE(BigInt(value), offset);
  for (let thread = 0; thread < threads; thread++) {
    const memory = createRingIn((bytes) => new ArrayBuffer(bytes), options.ringBytes ?? RING_BYTES, 4096, {
      overwrite: options.overwrite ?? true,
    });
    const at = 4096 + thread * ringBytes;
    rings.set(new Uint8Array(memory), at);
    const block = blockAt(layout, thread);
    const inUse = ARENA + block + BLOCK.WRITER;
    const state = writerState({ memory, ring: RINGS + at, words: RINGS, state: 0, cpu: thread, inUse });
    arena.set(state, block + BLOCK.WRITERS);
    long(block + BLOCK.WRITER, ARENA + block + BLOCK.WRITERS);
    // What is known of a thread's stack, which may be read, is not known of the one that takes the block over.
    if (probes.changes.length === 0) long(block + BLOCK.OWNER, threadWords + OWNERS_AT + thread * 4);
    // What is above a thread's stack pointer is read as it is: not all emulators know process_vm_readv.
    long(block + BLOCK.READ_LOW, 1);
    long(block + BLOCK.READ_HIGH, MOST_ADDRESS);
    arena.writeUInt32LE(thread, layout.ready + thread * 4);
  }
  long(SHARED.GIVEN, ready);
  long(SHARED.THREAD_WORDS, threadWords);
  const limits = [options.maxDepth, options.threshold, options.results, options.graphFunctions, options.graphNotrace];
  arena.writeUInt32LE(limits.every((limit) => limit === undefined) ? OPEN.ALL : OPEN.LIMITED, GATE.OPEN);
  arena.writeUInt32LE(GATE.CLOCKS, GATE.CLOCK);
  arena.writeUInt32LE(options.results ? 1 : 0, GATE.RESULTS);
  arena.writeUInt32LE(options.maxDepth ?? 0xffffffff, GATE.MAX_DEPTH);
  arena.writeUInt32LE(options.graphFunctions === undefined ? 0 : 1, GATE.HAS_GRAPH_FUNCTIONS);
  long(GATE.THRESHOLD, options.threshold ?? 0);
  long(GATE.CLOCKS + CLOCK.MULTIPLIER, 1n << BigInt(machine.clockShift));
  for (const [n, { name, start }] of functions.entries()) {
    const flags = (options.graphFunctions?.includes(name) ? 1 : 0) | (options.graphNotrace?.includes(name) ? 2 : 0);
    long(layout.functionTable + n * FUNCTION.BYTES + FUNCTION.IP, base + start);
    arena.writeUInt32LE(flags, layout.functionTable + n * FUNCTION.BYTES + FUNCTION.FLAGS);
    if (options.lists) arena.writeUInt32LE(layout.operations, layout.functionTable + n * FUNCTION.BYTES + FUNCTION.OPERATIONS);
  }
  long(layout.operations + OPERATION.ROUTINE, common.operations.function);
  long(layout.operations + OPERATION.A, BLOCK.WRITER);
  writeFileSync(join(folder, 'rings'), rings);
  writeArena(join(folder, 'arena'), arena, layout);
  const sites = thunks.thunks.flatMap((one, i) => {
    const { site, n } = traced[i]!;
    const own = options.tracer === undefined ? undefined : options.tracer === 'function' ? one.function : one.graph;
    const thunk = probes.thunks.get(n) ?? lists[i]?.thunk ?? own;
    return thunk === undefined ? [] : [{ address: site.address, armed: site.armed(thunk.address, thunk.use), idle: site.nop }];
  });
  const changes = [...sites, ...probes.changes].flatMap(({ address, armed, idle }) => {
    const header = Buffer.alloc(16);
    header.writeBigUInt64LE(BigInt(address), 0);
    header.writeBigUInt64LE(BigInt(armed.length), 8);
    return [header, Buffer.from(armed), Buffer.from(idle)];
  });
  const main = [SHARED.MAIN_TID, SHARED.MAIN_STACK_LOW, SHARED.MAIN_STACK_HIGH];
  const plan = [
    CODE,
    RINGS,
    ARENA,
    layout.bytes,
    CODE + tableAt,
    ...main,
    layout.operations + LISTS_BYTES,
    layout.blocks,
    options.live ? 1 : 0,
  ];
  writeFileSync(join(folder, 'plan'), Buffer.concat([Buffer.from(BigUint64Array.from(plan.map(BigInt)).buffer), ...changes]));

  const script = functions.findIndex(({ name }) => name === options.javascript);
  const block = ARENA + blockAt(layout, ready);
  const javascript = [common.bind, block, common.counter, script, common.unbind, common.close, ARENA].join(' ');
  const env = { ...process.env, NATIVE_TEST: folder, ...(hasJavaScript && { NATIVE_JAVASCRIPT: javascript }) };
  const { stdout, status, signal } = run(program, args, env);
  const result = { output: stdout, status, signal };
  if (status !== 0) return { ...result, records: [], recorded: 0, overrun: 0, dropped: 0, open: 0, tooDeep: 0 };
  return { ...result, ...resultsOf(program, layout, ready, ringBytes, probes) };
}

export const elfOf = ({ path }: CompiledProgram): ElfFile => new ElfFile(readFileSync(path), path);

/** The functions of a program with their code. */
export function probedFunctions({ functions, base }: CompiledProgram, elf: ElfFile): readonly ProbedFunctionOfProgram[] {
  return functions.map(({ name, start, end, site }, n) => ({
    ...{ n, name, site: site!, address: base + start },
    code: elf.at(start + elf.span[0], end - start)!,
  }));
}

/** Bytes for lists of operations that tests use. */
const LISTS_BYTES = 4096;

/** Code for functions with operations, one behind the other. */
function placeLists(
  common: CommonCode,
  start: number,
  traced: readonly ThunkedFunction[],
  thunks: readonly FunctionThunks[],
  tracer: TraceOptions['tracer'],
): readonly { readonly thunk: Thunk; readonly bytes: Uint8Array; readonly end: number }[] {
  let end = start;
  return traced.map((one, i) => {
    const next = tracer === 'function_graph' ? thunks[i]!.graph : undefined;
    const address = Math.ceil(end / 16) * 16;
    const bytes = buildListThunk(common, address, one, next);
    end = address + bytes.length;
    return { thunk: { address, use: next?.use ?? listUse(one.site) }, bytes, end };
  });
}

/** All of an arena but what is behind the lists of operations that are used: many bytes. */
function writeArena(path: string, arena: Uint8Array, { operations, blocks }: ArenaLayout): void {
  const file = openSync(path, 'w');
  writeSync(file, arena, 0, operations + LISTS_BYTES, 0);
  writeSync(file, arena, blocks, arena.length - blocks, blocks);
  closeSync(file);
}

type Results = Omit<TracedRun, 'output' | 'status' | 'signal'>;

function resultsOf(
  { folder, functions, base }: CompiledProgram,
  layout: ReturnType<typeof arenaLayout>,
  ready: number,
  ringBytes: number,
  probes: ProgramProbes,
): Results {
  const arena = readFileSync(join(folder, 'arena.out'));
  const rings = readFileSync(join(folder, 'rings'));
  const long = (offset: number): number => Number(arena.readBigUInt64LE(offset));
  const names = new Map(functions.map((one) => [base + one.start, one.name]));
  const isTaken = (thread: number): boolean => thread < long(SHARED.TAKEN) || thread >= ready;
  let [recorded, overrun, open, tooDeep] = [0, 0, 0, 0];
  let dropped = Number(rings.readBigUInt64LE(rings.length - threadWordsBytes(layout.threads) + THREAD_WORDS.UNBLOCKED));
  const records: TraceRecord[][] = [];
  for (let thread = 0; thread < layout.threads; thread++) {
    if (!isTaken(thread)) continue;
    const block = blockAt(layout, thread);
    dropped += long(block + BLOCK.RINGLESS);
    open += long(block + BLOCK.TOP) / FRAME.BYTES;
    tooDeep += long(block + BLOCK.TOO_DEEP);
    const at = 4096 + thread * ringBytes;
    const memory = new SharedMemory(new Uint8Array(rings.subarray(at, at + ringBytes)).buffer);
    overrun += memory.f64[ring.OVERRUN]!;
    dropped += memory.f64[ring.DROPPED]! + memory.f64[ring.COMMIT_OVERRUN]!;
    if (long(block + BLOCK.WRITERS + WRITER.BUSY) !== 0) throw new Error('a writer was left in the midst of an event');
    const mine: TraceRecord[] = [];
    const reader = new RingBufferReader(memory);
    let lost = 0;
    for (; reader.peek(); reader.consume()) {
      lost += reader.lost;
      mine.push(recordAt(reader, names, probes));
    }
    if (lost !== memory.f64[ring.OVERRUN])
      throw new Error(`the reader lost ${lost} events, ${memory.f64[ring.OVERRUN]} were overwritten`);
    recorded += mine.length;
    records.push(mine);
  }
  return { records, recorded, overrun, dropped, open, tooDeep };
}

const EVENTS = [FTRACE_EVENTS.function, FTRACE_EVENTS.funcgraph_entry, FTRACE_EVENTS.funcgraph_exit];

function recordAt(reader: RingBufferReader, names: ReadonlyMap<number, string>, probes: ProgramProbes): TraceRecord {
  const view = new DataView(reader.words.buffer, reader.payload, reader.length);
  const hit = probes.shown(view.getUint16(0, true), view);
  if (hit !== undefined) {
    const tid = view.getInt32(4, true);
    return { event: 'probe', name: hit, tid, ts: reader.ts, depth: 0, parent: 0, unwound: false };
  }
  const event = EVENTS.find(({ id }) => id === view.getUint16(0, true));
  if (event === undefined) throw new Error(`an event of type ${view.getUint16(0, true)}`);
  const field = (name: string): number => {
    const one = (event.fields as Readonly<Record<string, { offset: number; size: number }>>)[name];
    if (one === undefined) return 0;
    return one.size === 8 ? Number(view.getBigUint64(one.offset, true)) : view.getUint32(one.offset, true);
  };
  const ip = field(event === FTRACE_EVENTS.function ? 'ip' : 'func');
  const name = names.get(ip);
  if (name === undefined) throw new Error(`no function at 0x${ip.toString(16)}`);
  const isExit = reader.length > event.size && event === FTRACE_EVENTS.funcgraph_exit;
  return {
    event: event.name,
    name,
    tid: view.getInt32(4, true),
    ts: reader.ts,
    depth: field('depth'),
    parent: field('parent_ip'),
    unwound: isExit && view.getUint8(event.end) === EXIT_UNWOUND,
    ...(isExit && view.getUint8(event.end) === EXIT_REGISTER ? { result: Number(view.getBigInt64(event.end + 2, true)) } : {}),
  };
}

/**
 * The calls of a thread, as function_graph shows them without times: `f(` at an entry, `)f` at an exit, `)f!` if there was no
 * return.
 */
export const graphOf = (records: readonly TraceRecord[]): readonly string[] =>
  records.map(({ event, name, depth, unwound }) =>
    event === 'funcgraph_entry' ? `${'  '.repeat(depth)}${name}(` : `${'  '.repeat(depth)})${name}${unwound ? '!' : ''}`,
  );

/**
 * Fails unless each exit is that of the last entry that is open; what was overwritten before the records may have had entries.
 */
export function checkNesting(records: readonly TraceRecord[]): void {
  const open: TraceRecord[] = [];
  for (const record of records) {
    if (record.event === 'funcgraph_entry') {
      open.push(record);
      continue;
    }
    const entry = open.pop();
    if (entry === undefined) continue;
    assert.deepEqual([record.name, record.depth], [entry.name, entry.depth]);
  }
}

import { Buffer } from 'node:buffer';
import { getHeapStatistics } from 'node:v8';
import { int, long, pointer, size, string, symbol, uint, ulong } from '../../tracepoint/fields.js';
import { replaceMethod } from '../realm/lookalike.js';
import { getOwnPropertyDescriptor, getPrototypeOf, reflectApply, SafeWeakMap, uncurry } from '../realm/primordials.js';
import { undoAll } from '../realm/undo.js';
import { observeCollections } from './collections.js';
import { sampleHeap } from './heap-samples.js';
import { type NodeEventSource, nodeEventSystem, type SourceThread, type TracepointsOf } from './node-event-system.js';

/** Where the first memory lies, and what each begins at a multiple of. */
const FIRST = 0x7f00_0000_0000;
const ALIGNMENT = 16;

const typedArray = getPrototypeOf(Uint8Array.prototype) as object;
const getterOf = <T>(holder: object, key: string): ((self: object) => T) =>
  uncurry(getOwnPropertyDescriptor(holder, key)!.get as (this: object) => T) as (self: object) => T;

/** Getters of views and memories, whatever the program has put on their prototypes. */
const memoryOf = getterOf<ArrayBufferLike>(typedArray, 'buffer');
const lengthOf = getterOf<number>(typedArray, 'byteLength');
const offsetOf = getterOf<number>(typedArray, 'byteOffset');
const memoryLength = getterOf<number>(ArrayBuffer.prototype, 'byteLength');

/**
 * Gives memory that scripts cannot know the address of a number in its place: the same for the same memory, never two for one.
 */
class MemoryPlaces {
  readonly #places = new SafeWeakMap<object, number>();
  #next = FIRST;

  /** The place of a view's first byte. */
  ofView(view: object): number {
    return this.ofMemory(memoryOf(view)) + offsetOf(view);
  }

  ofMemory(memory: ArrayBufferLike): number {
    let place = this.#places.get(memory);
    if (place === undefined) {
      place = this.#next;
      this.#places.set(memory, place);
      this.#next += (Math.floor(memoryLength(memory) / ALIGNMENT) + 1) * ALIGNMENT;
    }
    return place;
  }
}

/** The kernel's flags of an allocation that have a meaning here. */
const GFP = {
  /** A part of Node's pool. */
  KERNEL: 0xcc0,
  /** Memory of its own, which V8 counts as external. */
  KERNEL_ACCOUNT: 0x400cc0,
  /** Filled with zeros. */
  ZERO: 0x100,
} as const;

/** What `rss_stat` counts, with the name in V8's heap statistics. */
const MEMBERS = [
  { name: 'MM_HEAPUSED', key: 'used_heap_size' },
  { name: 'MM_HEAPTOTAL', key: 'total_heap_size' },
  { name: 'MM_HEAPLIMIT', key: 'heap_size_limit' },
  { name: 'MM_EXTERNAL', key: 'external_memory' },
] as const;

type Allocation = [callSite: number, ptr: number, requested: number, allocated: number, flags: number];
type Kmem = {
  kmalloc: Allocation;
  kfree: [callSite: number, ptr: number];
  rss_stat: [thread: number, member: number, bytes: number];
  heap_sample: [name: string, at: string, bytes: number, ordinal: number];
};

const callSite = symbol((callSite: number) => callSite);
const place = { ...pointer((_callSite: number, ptr: number) => ptr), type: 'const void *' };
const flagNames = [
  `{ ${GFP.KERNEL_ACCOUNT}UL, "GFP_KERNEL_ACCOUNT" }`,
  `{ ${GFP.KERNEL}UL, "GFP_KERNEL" }`,
  `{ ${GFP.ZERO}UL, "__GFP_ZERO" }`,
].join(', ');

/** Memory: what Buffers are made of, the sizes of V8's heap, and samples of what is allocated in it. */
export const kmem = nodeEventSystem<Kmem>('kmem', {
  events: {
    kmalloc: {
      args: ['call_site', 'ptr', 'bytes_req', 'bytes_alloc', 'gfp_flags'],
      fields: {
        call_site: callSite,
        ptr: place,
        bytes_req: size((_callSite, _ptr, requested) => requested),
        bytes_alloc: size((_callSite, _ptr, _requested, allocated) => allocated),
        gfp_flags: ulong((_callSite, _ptr, _requested, _allocated, flags) => flags),
        node: int(() => -1),
      },
      print:
        '"call_site=%pS ptr=%p bytes_req=%zu bytes_alloc=%zu gfp_flags=%s node=%d accounted=%s", ' +
        '(void *)REC->call_site, REC->ptr, REC->bytes_req, REC->bytes_alloc, ' +
        `(REC->gfp_flags) ? __print_flags(REC->gfp_flags, "|", ${flagNames}) : "none", ` +
        'REC->node, (REC->gfp_flags & 0x400000UL) ? "true" : "false"',
    },
    kfree: {
      args: ['call_site', 'ptr'],
      fields: { call_site: callSite, ptr: place },
      print: '"call_site=%pS ptr=%p", (void *)REC->call_site, REC->ptr',
    },
    rss_stat: {
      args: ['mm_id', 'member', 'size'],
      fields: {
        mm_id: uint((thread) => thread),
        curr: uint(() => 1),
        member: int((_thread, member) => member),
        size: long((_thread, _member, bytes) => bytes),
      },
      print:
        '"mm_id=%u curr=%d type=%s size=%ldB", REC->mm_id, REC->curr, __print_symbolic(REC->member, ' +
        `${MEMBERS.map(({ name }, i) => `{ ${i}, "${name}" }`).join(', ')}), REC->size`,
    },
    heap_sample: {
      args: ['name', 'at', 'bytes', 'ordinal'],
      fields: {
        function: string((name) => name),
        at: string((_name, at) => at),
        bytes: size((_name, _at, bytes) => bytes),
        ordinal: uint((_name, _at, _bytes, ordinal) => ordinal),
      },
      print: '"%s at=%s bytes=%zu ordinal=%u", __get_str(function), __get_str(at), REC->bytes, REC->ordinal',
    },
  },
  sources: [
    { events: ['heap_sample'], start: ({ heap_sample: record }, thread) => sampleHeap(record, thread) },
    { events: ['kmalloc', 'kfree'], start: followBuffers },
    { events: ['rss_stat'], start: followHeap },
  ] satisfies readonly NodeEventSource<Kmem>[],
});

type Maker = (this: unknown, ...args: unknown[]) => unknown;

/** The functions that make Buffers. Node calls them itself, too: for what it reads from files, and for streams. */
const MAKERS = ['alloc', 'allocUnsafe', 'allocUnsafeSlow', 'from', 'concat', 'copyBytesFrom'] as const;
/** The function whose memory is filled with zeros, if no other filling is asked for. */
const ZEROED = 'alloc';
/** Functions that take small Buffers from the pool. */
const POOLED: ReadonlySet<string> = new Set(['allocUnsafe', 'from', 'concat', 'copyBytesFrom']);

const { FinalizationRegistry: Registry } = globalThis;

/** Records each Buffer that is made, and when V8 has freed its memory. */
function followBuffers({ kmalloc, kfree }: TracepointsOf<Kmem>, { caller }: SourceThread): () => void {
  let isOn = true;
  let isInside = false;
  const places = new MemoryPlaces();
  const freed = new Registry<number>((ptr) => {
    if (isOn) kfree(0, ptr);
  });

  /** @param shared the memory that the Buffer was to be made on, if it was */
  const made = (maker: Maker, name: string, buffer: object, shared: unknown, isZeroed: boolean): void => {
    const memory = memoryOf(buffer);
    if (memory === shared) return;
    const callSite = caller(maker);
    if (callSite === undefined) return;
    const length = lengthOf(buffer);
    const whole = memoryLength(memory);
    const isPooled = POOLED.has(name) && whole !== length;
    const ptr = places.ofView(buffer);
    const flags = (isPooled ? GFP.KERNEL : GFP.KERNEL_ACCOUNT) | (isZeroed ? GFP.ZERO : 0);
    // Parts of the pool begin at multiples of 8.
    kmalloc(callSite, ptr, length, isPooled ? (length + 7) & ~7 : whole, flags);
    // The pool's memory lives on.
    if (kfree.enabled()) freed.register(isPooled ? buffer : memory, ptr);
  };

  const standIn =
    (name: string) =>
    (original: Maker): Maker => {
      const { maker } = {
        maker(this: unknown, ...args: unknown[]): unknown {
          if (!isOn || isInside) return reflectApply(original, this, args);
          isInside = true;
          let buffer: unknown;
          try {
            buffer = reflectApply(original, this, args);
          } finally {
            isInside = false;
          }
          try {
            const isZeroed = name === ZEROED && (args[1] === undefined || args[1] === 0);
            made(maker, name, buffer as object, name === 'from' ? args[0] : undefined, isZeroed);
          } catch {
            // The stack is full, or the program has replaced what makes Buffers: this is none.
          }
          return buffer;
        },
      };
      return maker;
    };

  const undo = undoAll(MAKERS.map((name) => replaceMethod<Maker>(Buffer, name, standIn(name))));
  return () => {
    isOn = false;
    undo();
  };
}

/** Records the sizes of V8's heap that have changed, at its collections. */
function followHeap({ rss_stat: changed }: TracepointsOf<Kmem>, { cpu }: SourceThread): () => void {
  const before: number[] = [];
  const look = (): void => {
    const sizes = getHeapStatistics() as unknown as Readonly<Record<string, number>>;
    MEMBERS.forEach(({ key }, member) => {
      const bytes = sizes[key] ?? 0;
      if (before[member] !== bytes) changed(cpu, member, bytes);
      before[member] = bytes;
    });
  };
  return observeCollections(look);
}

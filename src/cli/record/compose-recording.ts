import { closeSync, openSync, readSync } from 'node:fs';
import { VERSION } from '../../base/version.js';
import {
  CONVERTED_CLOCK,
  type CpuData,
  changePage,
  MergedEvents,
  numberedThrough,
  writeTraceDat,
} from '../../output/trace-dat/index.js';
import type { DropReason } from '../../recording/recording-space.js';
import { DEFAULT_SUBBUF_BYTES, listClocks, PageCursor, TSC } from '../../ring-buffer/index.js';
import { nameComms } from './process-names.js';
import { dropReasons, type ProcessParts, recordedConversion } from './recording-folder.js';

const CHUNK_BYTES = 1 << 20;

/** The result of composing a recording. */
export interface Composed {
  /** Bytes of the trace.dat. */
  readonly bytes: number;
  /** Events in it, if older ones were thrown away. */
  readonly kept?: { readonly events: number; readonly reasons: readonly DropReason[] };
}

/** Makes a trace.dat from what processes left in the folder of a recording. */
export function composeRecording(folder: string, processes: readonly ProcessParts[], output: string): Composed {
  const events = new MergedEvents();
  const isChanged = processes.length > 1 && processes.some(({ formats }) => formats.length > 0);
  const cpus: readonly CpuData[] = processes.flatMap(({ cpus, formats, slot }) => {
    const changes = events.add(formats, slot);
    return isChanged ? cpus.map((cpu) => ({ ...cpu, change: (page: Uint8Array) => changePage(page, changes) })) : cpus;
  });
  const threads = processes.map(({ pid, name, comms, cpus: own }) => {
    return { pid, name: name || (comms.find(([task]) => task === pid)?.[1] ?? 'node'), threads: own.length };
  });
  const symbolFiles = processes.flatMap(({ symbols }) => symbols ?? []);
  const placeFiles = processes.flatMap(({ places }) => places ?? []);
  const clock = processes.find((process) => process.clock !== undefined)?.clock ?? 'mono';
  // The processes may have refused the clock, and have another one.
  const conversion = clock === TSC ? recordedConversion(folder) : undefined;
  const written = writeTraceDat(output, {
    subbufBytes: DEFAULT_SUBBUF_BYTES,
    buffers: [{ name: '', clock: conversion === undefined ? clock : CONVERTED_CLOCK, cpus }],
    kallsyms: chunksOf(symbolFiles),
    ...(placeFiles.length > 0 && { places: chunksOf(placeFiles) }),
    events,
    // For one process, the name of its task is enough.
    cmdlines: processes.flatMap(({ pid, name, comms }) => (processes.length > 1 && name ? nameComms(comms, pid, name) : comms)),
    traceClock: listClocks(clock, clock === TSC),
    ...(conversion && { conversion }),
    processes: numberedThrough(threads),
    version: VERSION,
  });
  const reasons = dropReasons(folder);
  if (reasons.length === 0) return { bytes: written.bytes };
  return { bytes: written.bytes, kept: { events: countEvents(cpus.flatMap(({ files }) => files)), reasons } };
}

/** Events in files of sub-buffers. */
export function countEvents(files: readonly string[]): number {
  const words = new Uint32Array(DEFAULT_SUBBUF_BYTES / 4);
  const cursor = new PageCursor(words);
  let events = 0;
  for (const chunk of chunksOf(files)) {
    for (let at = 0; at + DEFAULT_SUBBUF_BYTES <= chunk.length; at += DEFAULT_SUBBUF_BYTES) {
      new Uint8Array(words.buffer).set(chunk.subarray(at, at + DEFAULT_SUBBUF_BYTES));
      cursor.open(words, 0);
      while (cursor.next()) events++;
    }
  }
  return events;
}

/** The bytes of files, one file after the other. */
function* chunksOf(files: readonly string[]): Generator<Uint8Array> {
  for (const file of files) {
    const fd = openSync(file, 'r');
    try {
      for (;;) {
        const chunk = new Uint8Array(CHUNK_BYTES);
        const length = readSync(fd, chunk);
        if (length === 0) break;
        yield chunk.subarray(0, length);
      }
    } finally {
      closeSync(fd);
    }
  }
}

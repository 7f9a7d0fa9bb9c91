import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kernelProcess } from '../../../test/parity/kernel-process.js';
import type { PortFeature } from '../../ftrace/tracers/features.js';
import type { Attachment } from '../tracefs/attached-file.js';
import type { TraceDirectory } from '../tracefs/node.js';
import { readFrom } from '../tracefs/read-write.js';
import { createTracefs } from './tracefs.js';

const attachment = { isAttached: true, detach: async () => {}, onUnreached() {} } as unknown as Attachment;

test('docs/files.md describes every file of the tree', () => {
  const page = readFileSync('docs/files.md', 'utf8');
  const names = [...createTracefs(kernelProcess(), attachment).names()];
  const missing = names.filter((name) => !new RegExp(`[\` ]${name}[\`/]`).test(page));
  assert.deepEqual(missing, []);
});

test('the tree is listed by name', () => {
  const names = [...createTracefs(kernelProcess()).names()];
  assert.deepEqual(names, [...names].sort());
});

test('what a port lacks has no files, and no lines in README', async () => {
  const process = kernelProcess();
  const lacking = (...features: readonly PortFeature[]) =>
    createTracefs(Object.create(process, { lacks: { value: new Set(features) } }) as typeof process);
  const readme = (root: TraceDirectory) => readFrom(root, 'README');
  const names = (root: TraceDirectory) => [...root.names()];
  const [all, some] = [lacking(), lacking('hwlat', 'stack tracer')];
  const gone = [
    'hwlat_detector',
    'stack_max_size',
    'stack_trace',
    'stack_trace_filter',
    'stack_trace_places',
    'stack_tracer_enabled',
  ];
  assert.deepEqual(
    names(all).filter((name) => !names(some).includes(name)),
    gone,
  );
  assert.match(await readme(all), /^ {2}hwlat_detector\/ .*\n\n(?:.*\n)+?\n {2}stack_tracer_enabled /m);
  assert.doesNotMatch(await readme(some), /hwlat_detector|stack_tracer_enabled/);
  assert.match(await readme(some), /^ {2}function_profile_enabled /m);
});

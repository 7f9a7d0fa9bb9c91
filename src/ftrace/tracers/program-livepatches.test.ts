import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceError } from '../../base/errno.js';
import type { LivepatchRequest } from './diversions.js';
import { ProgramLivepatches } from './program-livepatches.js';

const STATE = { enabled: true, transition: true, isGone: false, functions: ['vmlinux/total,1'] };

test('a patch has the name of its file, and the state that it is told; a detach ends the wait for its transition', async () => {
  const asked: LivepatchRequest[] = [];
  const livepatches = new ProgramLivepatches(async (request) => void asked.push(request));
  const patch = await livepatches.load({ file: 'file:///app/fix.total.mjs' });
  await patch.settled();
  livepatches.changed(1, STATE);
  assert.deepEqual([patch.name, patch.enabled, patch.transition, patch.isGone], ['fix.total', true, true, false]);
  const settled = patch.settled();
  livepatches.end();
  await settled;
  assert.deepEqual([patch.enabled, patch.transition, patch.isGone], [false, false, true]);
  assert.deepEqual(patch.functions, STATE.functions);
  await patch.force();
  assert.deepEqual(asked, [
    { id: 1, action: 'load', name: 'fix.total', path: '/app/fix.total.mjs' },
    { id: 1, action: 'force' },
  ]);
});

test('a patch that is refused is forgotten', async () => {
  const livepatches = new ProgramLivepatches(() => Promise.reject(new TraceError('EBUSY')));
  await assert.rejects(livepatches.load({ file: '/app/fix.mjs', prepare: true }), { errno: 'EBUSY' });
  await assert.rejects(livepatches.load({ file: 'fix.mjs' }), { errno: 'EINVAL', message: /neither an absolute path/ });
  livepatches.changed(1, STATE);
});

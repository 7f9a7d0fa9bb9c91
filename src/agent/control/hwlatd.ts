/** The sampler of hwlat's mode `none`: a thread of its own, so that what it finds is the machine's doing and no program's. */
import { parentPort } from 'node:worker_threads';
import type { SampleRequest } from '../../arch/port.js';
import { traceClock } from '../../ring-buffer/index.js';
import { sampleGaps } from '../../tracers/hwlat/sample-gaps.js';
import { threadId } from '../thread-id.js';

const MS = 1e6;

parentPort!.on('message', ({ widthUs, thresholdUs }: SampleRequest) => {
  const sample = sampleGaps(traceClock, Date.now() * MS - traceClock(), widthUs, thresholdUs);
  parentPort!.postMessage({ tid: threadId(), sample });
});

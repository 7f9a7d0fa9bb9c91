/** The sampler of hwlat's mode `none`: a separate thread, so that the machine and not the program causes what it finds. */
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

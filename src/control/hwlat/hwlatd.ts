/** The sampler of hwlat's mode `none`: a separate thread, so that the machine and not the program causes what it finds. */
import { parentPort } from 'node:worker_threads';
import { threadId } from '../../base/thread-id.js';
import { sampleGaps } from '../../ftrace/tracers/hwlat/sample-gaps.js';
import type { SampleRequest } from '../../port/port.js';
import { traceClock } from '../../ring-buffer/index.js';

const MS = 1e6;

parentPort!.on('message', ({ widthUs, thresholdUs }: SampleRequest) => {
  const sample = sampleGaps(traceClock, Date.now() * MS - traceClock(), widthUs, thresholdUs);
  parentPort!.postMessage({ tid: threadId(), sample });
});

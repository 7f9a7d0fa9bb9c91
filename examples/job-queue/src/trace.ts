// The tracepoints of the library. Whoever uses it can register probes with them; with fentry loaded, the events are under events/jobs.
import { defineTrace, eventClass, string, traceEvent, u8, u32, u64 } from 'fentry/tracepoint';
import type { Job } from './queue.js';

/** What happens to a job. */
const jobEvent = eventClass<[job: Job]>({
  args: ['job'],
  fields: { id: u32((job) => job.id), attempt: u8((job) => job.attempt), name: string((job) => job.name) },
  print: '"id=%u name=%s attempt=%u", REC->id, __get_str(name), REC->attempt',
});

export const jobAdded = jobEvent.event('jobs', 'job_added');
export const jobStart = jobEvent.event('jobs', 'job_start');
/** A job that was tried before. */
export const jobRetry = jobEvent.event('jobs', 'job_retry', { condition: (job) => job.attempt > 1 });

/** A job that is done: how long it waited and ran, in milliseconds, and what it returned. */
export const jobDone = traceEvent<[job: Job, wait: number, run: number, result: string]>('jobs', 'job_done', {
  args: ['job', 'wait', 'run', 'result'],
  fields: {
    id: u32((job) => job.id),
    wait: u64((_job, wait) => Math.round(wait * 1000)),
    run: u64((_job, _wait, run) => Math.round(run * 1000)),
    name: string((job) => job.name),
    result: string((_job, _wait, _run, result) => result),
  },
  print: '"id=%u name=%s wait=%lluus run=%lluus result=%s", REC->id, __get_str(name), REC->wait, REC->run, __get_str(result)',
});

/** Nothing waits and nothing runs. For probes only: it is no event. */
export const queueDrained = defineTrace<[done: number]>('jobs', 'queue_drained', { args: ['done'] });

/** What a message on a channel says of a job. */
export type JobStep = 'job' | 'returned' | 'finished';

/** The channels that tell of jobs, by what their messages say. */
export type JobChannels = readonly (readonly [channel: string, step: JobStep])[];

/**
 * The channels that a name means: `app.start,app.end` those two, whose messages begin and end a job; any other name a tracing
 * channel (diagnostics_channel.tracingChannel()).
 */
export function jobChannels(name: string): JobChannels {
  const [begin = '', end, more] = name.split(',');
  if (end !== undefined && more === undefined && begin !== '' && end !== '') {
    return [
      [begin, 'job'],
      [end, 'finished'],
    ];
  }
  return [
    [`tracing:${name}:start`, 'job'],
    [`tracing:${name}:end`, 'returned'],
    [`tracing:${name}:asyncEnd`, 'finished'],
  ];
}

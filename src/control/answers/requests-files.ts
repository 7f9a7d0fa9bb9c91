import { DEFAULT_SECONDS, MOST_SECONDS } from '../../answers/requests/requests-answer.js';
import { attempt } from '../../base/attempt.js';
import type { FileHandle, TraceFile, TraceNode } from '../tracefs/node.js';
import { lazyDirectory } from '../tracefs/path.js';
import { readOnly } from '../tracefs/text-file.js';
import type { FollowedProcess } from './followed-requests.js';
import { loadAnswers } from './load-answers.js';

/** `30`, `30.json`. */
const NAME = /^([1-9]\d{0,3})(\.json)?$/;

/**
 * The files of requests: `requests` and its data, which take some seconds to read; requests_seconds/ with a file for each
 * number of seconds, and requests_channels/CHANNEL/ with such files for the jobs of a channel, in whose name `%2F` is a slash.
 */
export function requestsFiles(process: FollowedProcess): Readonly<Record<string, TraceNode>> {
  const file = (seconds: number, isJson: boolean, channel?: string): TraceFile => ({
    kind: 'file',
    mode: 0o640,
    open(flags, caller): FileHandle | Promise<FileHandle> {
      if (!flags.read) return readOnly(() => '').open(flags, caller);
      return loadAnswers().RequestsFile.open(process, { seconds, isJson, ...(channel !== undefined && { channel }) });
    },
  });
  const bySeconds = (channel?: string): TraceNode =>
    lazyDirectory({
      files: () => [],
      directories: () => [],
      get(name) {
        const [, digits, json] = NAME.exec(name) ?? [];
        const seconds = Number(digits);
        return seconds <= MOST_SECONDS ? file(seconds, json !== undefined, channel) : undefined;
      },
    });
  return {
    requests: file(DEFAULT_SECONDS, false),
    'requests.json': file(DEFAULT_SECONDS, true),
    requests_seconds: bySeconds(),
    requests_channels: lazyDirectory({
      files: () => [],
      directories: () => [],
      get(name) {
        const channel = attempt(() => decodeURIComponent(name));
        return channel === undefined ? undefined : bySeconds(channel);
      },
    }),
  };
}

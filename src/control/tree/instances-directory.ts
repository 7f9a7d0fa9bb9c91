import { TraceError } from '../../base/errno.js';
import type { TracedProcess } from '../process/traced-process.js';
import type { TraceInstance } from '../trace-array/instance.js';
import type { Feature } from '../tracefs/feature.js';
import type { TraceDirectory } from '../tracefs/node.js';
import { OpenCount } from '../tracefs/open-count.js';
import { directory } from '../tracefs/path.js';
import { instanceFiles } from './instance-files.js';

/** The longest name of a file (NAME_MAX), in bytes. */
const MAX_NAME = 255;

/** Characters that a name must not have: line breaks and characters that a terminal would obey; and what is not UTF-8. */
const UNFIT = /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd]/;

interface Entry {
  readonly instance: TraceInstance;
  readonly directory: TraceDirectory;
  readonly open: OpenCount;
}

/**
 * instances/: a directory made here is an instance with its own buffers, tracer, filters and options; removing it ends it.
 * EBUSY while any of its files is open, or a hist trigger of it has variables (instance_rmdir in kernel/trace/trace.c).
 */
function instancesDirectory(process: TracedProcess): TraceDirectory {
  const entries = new Map<string, Entry>();
  return {
    kind: 'directory',
    mode: 0o750,
    names: () => [...entries.keys()].sort(),
    subdirectories: () => entries.size,
    get: (name) => entries.get(name)?.directory,
    mkdir(name) {
      if (name === '..') throw new TraceError('EEXIST');
      if (UNFIT.test(name)) throw new TraceError('EINVAL', 'the name of an instance must not have control characters');
      if (Buffer.byteLength(name) > MAX_NAME) throw new TraceError('ENAMETOOLONG');
      const instance = process.addInstance(name);
      const open = new OpenCount();
      entries.set(name, { instance, open, directory: open.counting(directory(instanceFiles(instance))) });
    },
    async rmdir(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new TraceError('ENOENT');
      if (!entry.open.isZero) throw new TraceError('EBUSY', 'a file of the instance is open');
      if (entry.instance.hists.triggers.haveVariables)
        throw new TraceError('EBUSY', 'a hist trigger of the instance has variables: remove it first');
      entries.delete(name);
      await process.removeInstance(entry.instance);
    },
  };
}

/** The directory of instances. */
export const instancesFeature: Feature<TracedProcess> = {
  name: 'instances',
  files: (process) => ({ instances: instancesDirectory(process) }),
  help: `
  instances/           - mkdir instances/NAME makes an instance with its own buffers, tracer and filters; rmdir removes it
`,
};

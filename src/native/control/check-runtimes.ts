import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { openElf } from '../elf/elf-file.js';
import { mappedObjects, processMaps } from '../process/process-maps.js';
import { foreignRuntime } from '../text/foreign-runtime.js';

/**
 * Checks that no object of a process has the runtime of a language that a tracer would break. Nothing is changed.
 * @throws TraceError EOPNOTSUPP: which object, which language and why
 */
export function checkRuntimes(pid: number): void {
  for (const { path } of mappedObjects(processMaps(pid))) {
    const found = attempt(() => foreignRuntime(openElf(`/proc/${pid}/root${path}`, path)));
    if (found === undefined) continue;
    const { language, why } = found;
    throw new TraceError(
      'EOPNOTSUPP',
      `process ${pid} has code of ${language} (${path}), whose runtime ${why}: it is not traced`,
    );
  }
}

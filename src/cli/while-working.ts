import { readProgress } from '../base/progress-file.js';
import { visible } from '../base/visible.js';
import { ProgressLine } from './record/progress-line.js';

/** Milliseconds until a line says what is being done, and between two looks at what that is. */
const [FIRST, NEXT] = [500, 100];

/**
 * Does what may take long. After half a second a line on the terminal says what is being done: what the process itself says, else
 * `what`. The line is gone at the end.
 * @param socketPath the control socket of the process
 */
export async function whileWorking<T>(
  socketPath: string,
  what: string,
  work: () => Promise<T>,
  line = new ProgressLine(),
): Promise<T> {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    line.show(`fentry: ${visible(readProgress(socketPath) ?? what)}`);
    timer = setTimeout(look, NEXT);
  };
  timer = setTimeout(look, FIRST);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    line.clear();
  }
}

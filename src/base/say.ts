import { writeSync } from './untraced-fs.js';

/** Writes a line to stderr directly, whatever the program has done to its streams. */
export function say(message: string): void {
  try {
    writeSync(2, `fentry: ${message}\n`);
  } catch {
    // A closed or full stderr is no reason to disturb the program.
  }
}

/** Reads lines of `pid comm`, as saved_cmdlines and a recording's PID.comms have them. */
export function parseComms(text: string): readonly (readonly [pid: number, comm: string])[] {
  return text.split('\n').flatMap((line) => {
    const blank = line.indexOf(' ');
    return blank < 0 ? [] : [[Number(line.slice(0, blank)), line.slice(blank + 1)] as const];
  });
}

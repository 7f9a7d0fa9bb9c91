/** A probe as the files of probes list it. */
export interface ListedProbe {
  readonly group: string;
  readonly event: string;
  readonly place: string;
  /** `NAME=FETCHARG`. */
  readonly args: readonly string[];
}

const LINE = /^(?<letter>[prft])\d*:(?<group>[^/\s]+)\/(?<event>\S+) (?<place>\S+)(?<args>.*)$/;

/** The probes in dynamic_events; the other events of the file are left out. Pure. */
export function listedProbes(text: string): readonly ListedProbe[] {
  return text.split('\n').flatMap((line) => {
    const { letter, group, event, place, args = '' } = LINE.exec(line)?.groups ?? {};
    if (group === undefined || event === undefined || place === undefined) return [];
    const isEnd = letter === 'r' && !/%(?:return|settled)$/.test(place);
    return [{ group, event, place: isEnd ? `${place}%return` : place, args: args.split(' ').filter((word) => word !== '') }];
  });
}

/** What stands behind `=` if it differs from what stands before. */
const argumentText = (arg: string): string => {
  const at = arg.indexOf('=');
  const [name, body] = [arg.slice(0, at), arg.slice(at + 1)];
  return body === name ? name : arg;
};

/** `  probe:sum            (on sum:3 with one total)` */
export function probeRow({ group, event, place, args }: ListedProbe): string {
  const values = args.length === 0 ? '' : ` with ${args.map(argumentText).join(' ')}`;
  return `  ${`${group}:${event}`.padEnd(20)} (on ${place}${values})\n`;
}

import { helpParts } from './help-rows.js';
import { MANUALS, type Manual } from './manuals.js';
import type { Verb } from './verb.js';

/** Text as roff takes it: nothing in it is a request or an escape. */
const text = (words: string): string =>
  words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replace(/^\./gm, '\\&.');

const FILES: readonly (readonly [path: string, what: string])[] = [
  [
    '$FENTRY_DIR, $XDG_RUNTIME_DIR/fentry, /tmp/fentry-UID',
    'the first that is set is the folder of the sockets of the traced processes, PID.sock',
  ],
  ['trace.dat', 'the default name of the recording that record and extract write, and report and dump read'],
];

const ENVIRONMENT: readonly (readonly [name: string, what: string])[] = [
  ['FENTRY', 'settings for a program that starts with fentry, with the names of the kernel command line: ftrace=function_graph'],
  ['FENTRY_DIR', 'the folder of the sockets'],
  ['NO_COLOR', 'no colours'],
  ['PAGER', 'the pager of show and report on a terminal; cat for none'],
];

const rows = (all: readonly (readonly [head: string, what: string])[]): string =>
  all.map(([head, what]) => `.TP\n.B ${text(head)}\n${text(what)}\n`).join('');

/** A verb's help. */
function helpText(help: string): string {
  let page = '';
  let isExample = false;
  for (const part of helpParts(help)) {
    if (typeof part !== 'string') page += `.TP\n.B ${text(part.head)}\n${text(part.text)}\n`;
    else {
      isExample ||= /^(Examples?:| )/.test(part);
      page += `${isExample ? '.PP\n.nf\n' : '.PP\n'}${text(part.trim())}\n${isExample ? '.fi\n' : ''}`;
    }
    isExample = isExample && typeof part === 'string' && part.startsWith(' ');
  }
  return page;
}

const section = ({ name, synopsis, summary, help }: Verb): string =>
  `.SS fentry ${text(name)}${synopsis === '' ? '' : ` ${text(synopsis)}`}\n${text(summary)}.\n${helpText(help)}`;

/** `bpftrace (8)` as a reference to a page. */
const reference = (page: string): string => `.BR ${text(page)}`;

/** fentry-VERB(1): a verb's help, with what its manual adds. */
export function manPageOfVerb(
  { name, synopsis, summary, help }: Verb,
  { description, sections, examples, seeAlso }: Manual,
  version: string,
): string {
  const more = Object.entries(sections).map(([title, all]) => `.SH ${title}\n${rows(all)}`);
  const shown = examples.map(([question, command]) => `.PP\n${text(question)}\n.PP\n.nf\n${text(command)}\n.fi\n`);
  return `.TH FENTRY\\-${text(name.toUpperCase())} 1 "" "fentry ${version}" "User Commands"
.SH NAME
fentry\\-${text(name)} \\- ${text(summary)}
.SH SYNOPSIS
.B fentry ${text(name)}
${text(synopsis)}
.SH DESCRIPTION
${text(description)}
.SH OPTIONS
${helpText(help.replace(/^Examples?: [\s\S]*/m, ''))}${more.join('')}.SH EXAMPLES
${shown.join('')}.SH EXIT STATUS
0 for success; 1 if the script was refused or has failed; 2 for a wrong command line; with \\-c that of the command.
.SH SEE ALSO
${seeAlso.map(reference).join(',\n')}
`;
}

/** fentry(1), made from the help of the verbs. */
export function manPage(verbs: readonly Verb[], version: string): string {
  return `.TH FENTRY 1 "" "fentry ${version}" "User Commands"
.SH NAME
fentry \\- ftrace for Node.js: trace the functions of a live process
.SH SYNOPSIS
.B fentry
.I VERB
.RI [ OPTIONS ]
.SH DESCRIPTION
fentry traces the functions of a running Node.js process, and switches tracing on and off, with the tracers, files and
formats of the Linux kernel\\(aqs ftrace. Verbs and option letters are those of
.BR trace\\-cmd (1).
.PP
.nf
fentry record \\-g handle \\-\\- node server.js; fentry report
fentry env npm start
fentry start \\-g handle; fentry show; fentry reset
.fi
.SH VERBS
${verbs.map(section).join('')}.SH FILES
${rows(FILES)}.SH ENVIRONMENT
${rows(ENVIRONMENT)}.SH EXIT STATUS
0 for success; 1 if a control file or the system refused something; 2 for a wrong command line; for record, exec and env, the
exit status of the command.
.SH SEE ALSO
${[...Object.keys(MANUALS).map((name) => `fentry-${name} (1)`), 'trace-cmd (1)'].map(reference).join(',\n')}
`;
}

import { parseArgs } from 'node:util';
import { type Compiled, type CompileScript, ScriptRefusal, type ScriptText } from '../compiler.js';
import { LIMITS, type LimitName, type ScriptLimits } from '../program.js';
import { argumentsTapset } from './arguments-tapset.js';
import { OFFERED_FACTS } from './conditions.js';
import { parseStapFile, syntaxErrorText } from './parse-file.js';
import { processTapset } from './process-tapset.js';
import { OWN_TAPSETS, readTapsets } from './read-tapsets.js';
import { bindScript, type SemanticNeeds } from './semantic/bind-script.js';
import { listPoints } from './semantic/list-points.js';
import { SemanticError } from './semantic/semantic-error.js';
import { semanticErrorText, type TextOfFile, warningsText } from './semantic/semantic-text.js';
import type { StapFile } from './syntax-tree.js';
import { syscallTapset } from './syscall-tapset.js';
import { TapsetFiles } from './tapset-files.js';
import { treeText } from './tree-text.js';

const OPTIONS = {
  define: { type: 'string', short: 'D', multiple: true },
  global: { type: 'string', short: 'G', multiple: true },
  include: { type: 'string', short: 'I', multiple: true },
  guru: { type: 'boolean', short: 'g' },
  list: { type: 'string', short: 'l' },
  'list-vars': { type: 'string', short: 'L' },
  verbose: { type: 'boolean', short: 'v' },
  warnings: { type: 'boolean', short: 'w' },
  unoptimized: { type: 'boolean', short: 'u' },
  pass: { type: 'string', short: 'p' },
} as const;

/** Compiles a script in the language of SystemTap. @throws ScriptRefusal with what stap prints */
export const compileStap: CompileScript = (script, target) => {
  const { values, positionals: args } = optionsOf(script);
  const { define = [], include = [], pass, warnings: isQuiet = false, verbose = false, guru = false } = values;
  const listed = values.list ?? values['list-vars'];
  const facts = { ...OFFERED_FACTS, isGuru: guru };
  const texts = new Map<string, string>();
  const folder = (name: string) => () => {
    const files = readTapsets(name, facts);
    for (const { path, text } of files) texts.set(path, text);
    return files;
  };
  const made = () => [
    { path: 'syscalls.stp', text: syscallTapset(target) },
    { path: 'argv.stp', text: argumentsTapset(args) },
    { path: 'process.stp', text: processTapset(target) },
  ];
  const library = new TapsetFiles([folder(OWN_TAPSETS), made, ...include.map(folder)], facts);
  const text = listed === undefined ? script.text : `probe ${listed} {}`;
  texts.set(script.file, text);
  const parsed = parseStapFile(script.file, text, { facts, args, isPrivileged: guru, macro: library.macro });
  const told = isQuiet && parsed.file !== undefined ? '' : syntaxErrorText(parsed, script.file, verbose);
  const { file } = parsed;
  if (file === undefined) throw new ScriptRefusal(told);
  if (pass === '1') return { kind: 'text', text: treeText(file), warnings: told };
  const needs: SemanticNeeds = { library, target, limits: limitsOf(define), globals: givenGlobals(values.global ?? []) };
  const textOf: TextOfFile = (path) => texts.get(path);
  if (listed !== undefined) return listing(file, needs, told, values['list-vars'] !== undefined);
  return bound(file, needs, { told, textOf, isQuiet, endsBehindPass2: pass === '2' });
};

function listing(file: StapFile, needs: SemanticNeeds, warnings: string, withVariables: boolean): Compiled {
  const lines = listPoints(file, needs, withVariables);
  if (lines.length === 0) throw new ScriptRefusal('');
  return { kind: 'text', text: lines.map((line) => `${line}\n`).join(''), warnings };
}

interface Telling {
  readonly told: string;
  readonly textOf: TextOfFile;
  readonly isQuiet: boolean;
  readonly endsBehindPass2: boolean;
}

function bound(file: StapFile, needs: SemanticNeeds, { told, textOf, isQuiet, endsBehindPass2 }: Telling): Compiled {
  try {
    const { program, warnings, probes } = bindScript(file, needs);
    const all = told + (isQuiet ? '' : warningsText(warnings, textOf));
    if (!endsBehindPass2) return { kind: 'program', program, warnings: all };
    const names = probes.map(({ base, written }) => `${base.name} /* <- ${written} */\n`);
    return { kind: 'text', text: `# probes\n${names.join('')}`, warnings: all };
  } catch (error) {
    if (error instanceof SemanticError) throw new ScriptRefusal(told + semanticErrorText(error, textOf));
    throw error;
  }
}

function optionsOf({ words }: ScriptText) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new ScriptRefusal(`${(error as Error).message}\n`);
  }
}

/** Handlers of `begin`, `end` and timers have so many times the actions of others. */
const INTERRUPTIBLE = 10;

/** The largest value of a limit. */
const MOST = 1e7;

/** The globals that `-G NAME=VALUE` sets. @throws ScriptRefusal for what is no definition */
function givenGlobals(written: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    written.map((one) => {
      const [, name, value] = /^(\w+)=([\s\S]*)$/.exec(one) ?? [];
      if (name === undefined || value === undefined) throw new ScriptRefusal(`-G ${one}: a global is set by NAME=VALUE\n`);
      return [name, value];
    }),
  );
}

/** What SystemTap takes for a definition. */
const DEFINE = /^[a-z_][a-z_0-9]*(=-?[a-z_0-9]+)?$/i;

/** What SystemTap's manual has besides, of its own runtime: nothing here depends on it. */
const WITHOUT_MEANING =
  /^(STP_\w+|STAP_\w+|DEBUG_\w+|DUMP_\w+|TRYLOCKDELAY|INTERRUPTIBLE|KRETACTIVE|MAXUPROBES|MAXBACKTRACE|MAXMAPSIZE|MINSTACKSPACE)$/;

/** The limits that `-D NAME=VALUE` sets. @throws ScriptRefusal for a name or value that is none */
function limitsOf(defines: readonly string[]): Partial<ScriptLimits> {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const define of defines) {
    const [name = '', value = '1'] = define.split('=');
    if (!DEFINE.test(define)) {
      throw new ScriptRefusal(`ERROR: Safety pattern mismatch for -D parameter ('${define}' vs. '${DEFINE.source}') rc=1\n`);
    }
    if (WITHOUT_MEANING.test(name)) continue;
    if (!Object.hasOwn(LIMITS, name)) {
      throw new ScriptRefusal(`-D ${name}: there is no such limit; there are ${Object.keys(LIMITS).join(', ')}\n`);
    }
    if (!/^\d+$/.test(value) || Number(value) > MOST) {
      throw new ScriptRefusal(`-D ${define}: the value is a number up to ${MOST}\n`);
    }
    limits[name as LimitName] = Number(value);
  }
  const { MAXACTION, MAXACTION_INTERRUPTIBLE = MAXACTION === undefined ? undefined : MAXACTION * INTERRUPTIBLE } = limits;
  return MAXACTION_INTERRUPTIBLE === undefined ? limits : { ...limits, MAXACTION_INTERRUPTIBLE };
}

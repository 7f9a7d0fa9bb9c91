import { LIMITS, type ScriptFunction, type ScriptHandler, type ScriptLimits, type ScriptProgram } from '../../program.js';
import type { ScriptTarget } from '../../target.js';
import { INTRINSICS } from '../intrinsics.js';
import type { FunctionDefinition, GlobalDefinition, StapFile } from '../syntax-tree.js';
import { bindCondition, bindExpression } from './bind-expression.js';
import { bindBlock } from './bind-statement.js';
import { BodyScope, type ScriptNames } from './body-scope.js';
import { type BoundFunction, BoundGlobal, type BoundStatement, type LocalVariable, typeOf } from './bound.js';
import { type DerivedProbe, deriveProbes } from './derive-points.js';
import { placeOf } from './expression-token.js';
import { whyRefused } from './refused-functions.js';
import { fault, refuse, type ScriptToken, SemanticError, type SemanticFault, similarTo } from './semantic-error.js';
import { SyscallEntries } from './syscall-entries.js';
import type { TapsetLibrary } from './tapset-library.js';
import { withTasks } from './task-calls.js';
import { TypeCell } from './type-cell.js';

/** What a script is compiled with. */
export interface SemanticNeeds {
  readonly library: TapsetLibrary;
  readonly target: ScriptTarget;
  /** Limits that were set by `-D`. */
  readonly limits?: Partial<ScriptLimits>;
  /** Values of globals that were given by `-G`. */
  readonly globals?: ReadonlyMap<string, string>;
}

/** A script that was understood. */
export interface BoundScript {
  readonly program: ScriptProgram;
  readonly warnings: readonly SemanticFault[];
  /** The probes that it has, in order, for listings. */
  readonly probes: readonly DerivedProbe[];
}

/** The second pass of SystemTap: finds names and types. @throws SemanticError */
export function bindScript(file: StapFile, needs: SemanticNeeds): BoundScript {
  return new Script(file, needs).bind();
}

interface BoundBody {
  readonly scope: BodyScope;
  readonly build: BoundStatement;
}
interface BoundProbe extends BoundBody {
  readonly derived: DerivedProbe;
  readonly conditions: readonly (() => ReturnType<ReturnType<typeof bindCondition>>)[];
}

class Script implements ScriptNames {
  readonly #needs: SemanticNeeds;
  readonly #limits: ScriptLimits;
  readonly #files: StapFile[];
  readonly #globals = new Map<GlobalDefinition, BoundGlobal>();
  readonly #functions = new Map<FunctionDefinition, BoundFunction>();
  readonly #bodies = new Map<BoundFunction, BoundBody>();
  readonly #probes: BoundProbe[] = [];
  /** Files whose own probes are bound already. */
  readonly #bound = new Set<StapFile>();

  readonly #entries: SyscallEntries;

  readonly bindExpression = bindExpression;

  constructor(file: StapFile, needs: SemanticNeeds) {
    this.#entries = new SyscallEntries(needs.target);
    this.#needs = { ...needs, library: this.#entries.library(needs.library) };
    this.#limits = { ...LIMITS, ...needs.limits };
    this.#files = [file];
  }

  bind(): BoundScript {
    // A file of a tapset that is used has its own probes in the script, and may lead to further files.
    for (let i = 0; i < this.#files.length; i++) this.#bindProbes(this.#files[i]!);
    if (this.#probes.length === 0) refuse('no probes', []);
    const globals = [...this.#globals.values()];
    const scopes = [...this.#probes, ...this.#bodies.values()].map(({ scope }) => scope);
    // All types are known before anything is built of them.
    for (const global of globals) for (const cell of [global.cell, ...(global.keys ?? [])]) cell.settle();
    for (const { returns } of this.#functions.values()) returns.settle();
    for (const scope of scopes) scope.settle();
    const functions = [...this.#functions.values()].map((one) => this.#buildFunction(one));
    const handlers = this.#probes.map((probe) => this.#buildHandler(probe));
    return {
      program: {
        language: 'stap',
        globals: globals.map((global) => global.build(this.#limits.MAXMAPENTRIES, this.#needs.globals?.get(global.name))),
        functions,
        handlers,
        limits: this.#limits,
        printedAtEnd: globals.filter(({ isWritten, isRead }) => isWritten && !isRead).map(({ id }) => id),
      },
      warnings: this.#warnings(globals, scopes),
      probes: this.#probes.map(({ derived }) => derived),
    };
  }

  /** Variables that are read, and that nothing gives a value: locals, then globals of the script's own. */
  #warnings(globals: readonly BoundGlobal[], scopes: readonly BodyScope[]): readonly SemanticFault[] {
    const own = globals.filter(({ file }) => file === this.#files[0]);
    const names = own.map(({ name }) => name);
    const unassigned = own
      .filter(({ isRead, isWritten, definition }) => isRead && !isWritten && definition.initial === undefined)
      .filter(({ name }) => !this.#needs.globals?.has(name))
      .toSorted(
        (a, b) => a.definition.place.line - b.definition.place.line || a.definition.place.column - b.definition.place.column,
      )
      .map(({ name, definition }) => {
        const token = { token: `identifier '${name}'`, place: definition.name.place };
        return fault('unassigned global', [name, similarTo(name, names)], token);
      });
    return [...scopes.flatMap((scope) => scope.warnings(names)), ...unassigned];
  }

  #bindProbes(file: StapFile): void {
    if (this.#bound.has(file)) return;
    this.#bound.add(file);
    const { library, target } = this.#needs;
    const aliases = this.#files[0]!.aliases.map((alias) => ({ alias, file: this.#files[0]! }));
    for (const { points, body } of file.probes) {
      for (const derived of deriveProbes(points, { block: body, file }, { library, target, aliases })) {
        for (const one of this.#entries.expand(withTasks(derived, target.command))) this.#bindProbe(one, file);
      }
    }
  }

  #bindProbe(derived: DerivedProbe, file: StapFile): void {
    const scope = new BodyScope(this, file, { variables: derived.base.variables });
    const conditions = derived.conditions.map(({ expression, file: of }) => {
      scope.file = of;
      return bindCondition(expression, scope);
    });
    const parts = derived.parts.map((part) => {
      scope.file = part.file;
      this.#use(part.file);
      return bindBlock(part.block.statements, scope);
    });
    this.#probes.push({ derived, scope, conditions, build: () => parts.flatMap((part) => part()) });
  }

  #buildHandler({ derived, scope, conditions, build }: BoundProbe): ScriptHandler {
    const { base, written, point } = derived;
    const body = build();
    const place = placeOf({ token: 'keyword', place: point.place });
    const all = conditions.map((condition) => condition());
    const [first, ...others] = all;
    const condition = first === undefined ? undefined : others.reduce((left, right) => ({ op: '&&', left, right }), first);
    return {
      point: base.point,
      name: written,
      resolvedName: base.name,
      fetches: scope.fetches,
      saves: scope.saves,
      ...(condition !== undefined && { condition }),
      locals: scope.localTypes(),
      body: base.endsScript
        ? [...body, { do: 'expression', expression: { op: 'builtin', name: 'exit', args: [], place }, place }]
        : body,
      place,
    };
  }

  #buildFunction(one: BoundFunction): ScriptFunction {
    const { scope, build } = this.#bodies.get(one)!;
    return {
      name: one.definition.name.text,
      locals: scope.localTypes(),
      parameters: one.parameters.length,
      ...(one.returnsValue && { returns: typeOf(one.returns) }),
      body: build(),
      place: placeOf({ token: `identifier '${one.definition.name.text}'`, place: one.definition.name.place }),
    };
  }

  /** The file's own probes belong to the script from now on. */
  #use(file: StapFile): void {
    if (!this.#files.includes(file)) this.#files.push(file);
  }

  global(name: string, file: StapFile): BoundGlobal | undefined {
    const found = this.#definitionOf(name, file);
    if (found === undefined) return undefined;
    const known = this.#globals.get(found.definition);
    if (known !== undefined) return known;
    this.#use(found.file);
    const made = new BoundGlobal(found.definition, found.file, this.#globals.size);
    this.#globals.set(found.definition, made);
    return made;
  }

  #definitionOf(name: string, file: StapFile): { readonly definition: GlobalDefinition; readonly file: StapFile } | undefined {
    const inFile = (one: StapFile, withPrivate: boolean) => {
      const definition = one.globals.find((global) => global.name.text === name && (withPrivate || !global.isPrivate));
      return definition === undefined ? undefined : { definition, file: one };
    };
    const [script] = this.#files;
    const found = inFile(file, true) ?? inFile(script!, file === script);
    if (found !== undefined) return found;
    const library = this.#needs.library.fileOfGlobal(name);
    return library === undefined ? undefined : inFile(library, false);
  }

  function(name: string, args: number, file: StapFile, token: ScriptToken, hasIntrinsic: boolean): BoundFunction | undefined {
    const [script] = this.#files;
    const own = [...this.#overloads(name, file, true), ...(file === script ? [] : this.#overloads(name, script!, false))];
    if (hasIntrinsic && !own.some(({ definition }) => definition.parameters.length === args)) return undefined;
    const library = own.length > 0 ? undefined : this.#needs.library.fileOfFunction(name);
    const all = library === undefined ? own : this.#overloads(name, library, false);
    if (all.length === 0) {
      const why = whyRefused(name);
      if (why !== undefined) return refuse('not here', [`function ${name} is refused: ${why}`], token);
      const similar = similarTo(name, this.#functionNames());
      return refuse('unresolved function', [name, similar], token);
    }
    const fitting = all
      .filter(({ definition }) => definition.parameters.length === args)
      .sort((a, b) => a.definition.priority - b.definition.priority);
    if (fitting.length === 0) {
      const { definition } = all[0]!;
      throw new SemanticError(fault('function arity', [name, definition.parameters.length], token), {
        message: '',
        token: `identifier '${name}'`,
        place: definition.name.place,
      });
    }
    return this.#boundFunction(fitting, 0);
  }

  *#functionNames(): Iterable<string> {
    for (const one of this.#files) for (const { name } of one.functions) yield name.text;
    yield* this.#needs.library.functionNames;
    yield* Object.keys(INTRINSICS);
  }

  #overloads(name: string, file: StapFile, withPrivate: boolean) {
    return file.functions
      .filter((one) => one.name.text === name && (withPrivate || !one.isPrivate))
      .map((definition) => ({ definition, file }));
  }

  #boundFunction(
    all: readonly { readonly definition: FunctionDefinition; readonly file: StapFile }[],
    at: number,
  ): BoundFunction {
    const { definition, file } = all[at]!;
    const known = this.#functions.get(definition);
    if (known !== undefined) return known;
    const following = at + 1 < all.length ? this.#boundFunction(all, at + 1) : undefined;
    const parameters = definition.parameters.map((parameter, slot): LocalVariable => {
      const cell = parameter.type === undefined ? new TypeCell() : TypeCell.of(parameter.type);
      const token = { token: `identifier '${parameter.text}'`, place: parameter.place };
      return { slot, name: parameter.text, cell, token, isAssigned: true, isRead: false };
    });
    const { returns, body } = definition;
    const one: BoundFunction = {
      definition,
      file,
      index: this.#functions.size,
      parameters,
      returns: returns === undefined ? new TypeCell() : TypeCell.of(returns),
      returnsValue: returns !== undefined,
      following,
    };
    // It may call itself.
    this.#functions.set(definition, one);
    this.#use(file);
    if (body.kind === 'embedded') {
      const why = `The runtime has no function ${definition.name.text}`;
      return refuse('embedded', [why], { token: 'embedded-code', place: body.place });
    }
    const scope = new BodyScope(this, file, { function: one });
    this.#bodies.set(one, { scope, build: bindBlock(body.statements, scope) });
    return one;
  }
}

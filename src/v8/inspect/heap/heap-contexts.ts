import { EDGE, type HeapGraph, NODE, scriptOf } from '../heap-graph.js';

/** A variable of a module. */
export interface ExportedVariable {
  readonly name: string;
  /** The name of the module's text, as V8 has it. */
  readonly url: string;
}

/** Where V8 keeps the variables of modules: in contexts, and in cells if other modules import them. */
export class HeapContexts {
  readonly #graph: HeapGraph;
  /** The text of each context that a function sees, and of each module. */
  readonly #urls = new Map<number, string>();
  readonly #scripts = new Map<number, string>();
  readonly #cells = new Map<number, ExportedVariable>();

  constructor(graph: HeapGraph) {
    this.#graph = graph;
    const modules = new Set<number>();
    for (let node = 0; node < graph.size; node++) {
      if (graph.typeOf(node) === NODE.CLOSURE) this.#addClosure(node, modules);
    }
    for (const module of modules) this.#addExports(module);
  }

  /** The text with this number, as V8 names it; '' if no function of it lives. */
  scriptUrl(script: number): string {
    return this.#scripts.get(script) ?? '';
  }

  /** The module that has a variable, if a context is the outermost one of a text. */
  moduleOf(context: number): string | undefined {
    return this.#isOutermost(context) ? this.#urls.get(context) : undefined;
  }

  /** The variable whose value is in a cell. */
  exported(cell: number): ExportedVariable | undefined {
    return this.#cells.get(cell);
  }

  #isOutermost(context: number): boolean {
    const previous = this.#graph.internal(context, 'previous');
    return previous >= 0 && !this.#graph.isNamed(previous, 'system / Context');
  }

  #addClosure(closure: number, modules: Set<number>): void {
    const graph = this.#graph;
    let url: string | undefined;
    const location = graph.locationOf(closure);
    if (location !== undefined && !this.#scripts.has(location.script)) {
      url = scriptOf(graph, closure);
      if (url !== '') this.#scripts.set(location.script, url);
    }
    for (
      let context = graph.internal(closure, 'context');
      context >= 0 && graph.isNamed(context, 'system / Context') && !this.#urls.has(context);
      context = graph.internal(context, 'previous')
    ) {
      url ??= (location && this.#scripts.get(location.script)) ?? scriptOf(graph, closure);
      this.#urls.set(context, url);
      const module = graph.internal(context, 'extension');
      if (module < 0 || !graph.isNamed(module, 'system / SourceTextModule')) continue;
      this.#urls.set(module, url);
      modules.add(module);
    }
  }

  /** A module has a table of the names of its exports, each before its cell. */
  #addExports(module: number): void {
    const graph = this.#graph;
    const url = this.#urls.get(module)!;
    graph.forEdges(module, (table, kind) => {
      if (kind !== EDGE.HIDDEN || graph.typeOf(table) !== NODE.ARRAY) return;
      let name = -1;
      graph.forEdges(table, (target) => {
        if (graph.typeOf(target) === NODE.STRING) name = target;
        else if (name >= 0 && graph.isNamed(target, 'system / Cell')) {
          if (!this.#cells.has(target)) this.#cells.set(target, { name: graph.nameOf(name), url });
          name = -1;
        }
      });
    });
  }
}

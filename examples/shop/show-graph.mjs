/** What stands after the event's name in a report's line: duration, bar, indentation, call. */
const GRAPH_LINE = /funcgraph_(?:entry|exit):\s?(.*)$/;
const INDENT = 2;

/** Columns from the bar to the call, or -1 when the line is no part of a graph. */
const indentOf = (line) => {
  const bar = line.indexOf('|');
  return bar < 0 ? -1 : line.slice(bar + 1).search(/\S/);
};

/**
 * The lines of the first complete call of `name` in a report, callees down to `depth` levels; [] when there is none.
 * A call whose own callees are left out is shown closed, as max_graph_depth shows it.
 */
export async function firstGraph(lines, name, depth) {
  const head = new RegExp(`\\|\\s+${name}(?: \\[\\S+\\])?\\(.*\\{`);
  let graph = [];
  let base = -1;
  for await (const line of lines) {
    const text = GRAPH_LINE.exec(line)?.[1];
    if (text === undefined) continue;
    if (base < 0 && !head.test(text)) continue;
    const indent = indentOf(text);
    if (base < 0) base = indent;
    else if (indent < base) {
      graph = [];
      base = -1;
      continue;
    }
    if (indent <= base + depth * INDENT) graph.push(text);
    if (indent === base && text.includes('}')) return graph;
  }
  return [];
}

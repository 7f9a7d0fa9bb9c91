/** What stands after the event's name in a report's line: duration, bar, indentation, call. */
const GRAPH_LINE = /funcgraph_(?:entry|exit):(.*?)\|( *)(.*)$/;
const INDENT = 2;
const TIME_WIDTH = 16;

/** One line of a report taken apart: `{ time, indent, call }`, or undefined when it is no part of a graph. */
const parseLine = (line) => {
  const [, time, spaces, call] = GRAPH_LINE.exec(line) ?? [];
  return call === undefined ? undefined : { time: time.trim(), indent: spaces.length, call };
};

const isExit = ({ call }) => call.startsWith('}');
const print = ({ time, level, call }) => `${time.padStart(TIME_WIDTH)} | ${' '.repeat(1 + level * INDENT)}${call}`;

/** The lines of one graph, callees down to `depth` levels; a call whose own callees are left out is closed, as max_graph_depth does. */
const cut = (lines, depth) => {
  const kept = [];
  for (const line of lines) {
    const level = (line.indent - lines[0].indent) / INDENT;
    if (level > depth) continue;
    const last = kept.at(-1);
    if (level === depth && isExit(line) && last?.level === depth) {
      kept[kept.length - 1] = { level, time: line.time, call: last.call.replace(/ \{.*$/, ';') };
    } else kept.push({ ...line, level });
  }
  return kept;
};

/**
 * The lines of a complete call of `name` in a report, after `skip` others, callees down to `depth` levels and without the
 * callers' indentation; [] when there is none.
 * @param {AsyncIterable<string> | Iterable<string>} lines
 * @param {{ name: string, depth: number, skip?: number }} choice
 */
export async function findGraph(lines, { name, depth, skip = 0 }) {
  let graph = [];
  let left = skip;
  for await (const text of lines) {
    const line = parseLine(text);
    if (line === undefined) continue;
    if (graph.length === 0 && !(line.call.startsWith(`${name}(`) && line.call.endsWith('{'))) continue;
    graph.push(line);
    if (graph.length === 1 || line.indent > graph[0].indent) continue;
    if (isExit(line) && line.indent === graph[0].indent && left-- === 0) return cut(graph, depth).map(print);
    graph = [];
  }
  return [];
}

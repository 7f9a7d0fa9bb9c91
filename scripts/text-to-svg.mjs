// Draws a graph as a picture of a terminal: `npm start | node scripts/text-to-svg.mjs > docs/graph.svg`.
// Of its input it keeps the command (`$ ...`) and the lines of the graph (those with a bar).
import { text } from 'node:stream/consumers';

const ROW = 19;
const COLUMN = 8.4;
const PADDING = 16;
const COLOURS = {
  back: '#0d1117',
  text: '#e6edf3',
  command: '#7ee787',
  time: '#79c0ff',
  slow: '#ffa657',
  bar: '#484f58',
  brace: '#8b949e',
};

const escapeXml = (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const span = (colour, value) => (value === '' ? '' : `<tspan fill="${COLOURS[colour]}">${escapeXml(value)}</tspan>`);

/** One line, with the duration, the bar and the call each in its colour. */
const paint = (line) => {
  if (line.startsWith('$')) return span('command', line);
  const bar = line.indexOf('|');
  if (bar < 0) return span('text', line);
  const time = line.slice(0, bar);
  const call = line.slice(bar + 1);
  return (
    span(/[+!#*@$]/.test(time) ? 'slow' : 'time', time) + span('bar', '|') + span(/^\s*\}/.test(call) ? 'brace' : 'text', call)
  );
};

const lines = (await text(process.stdin)).split('\n').filter((line) => line.startsWith('$ ') || / \| {2}/.test(line));
const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * COLUMN) + 2 * PADDING;
const height = lines.length * ROW + 2 * PADDING;
const rows = lines.map((line, row) => `<text x="${PADDING}" y="${PADDING + (row + 0.75) * ROW}">${paint(line)}</text>`);
console.log(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>A request to the shop, as fentry report prints its graph</title>
<rect width="100%" height="100%" rx="8" fill="${COLOURS.back}"/>
<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" xml:space="preserve">
${rows.join('\n')}
</g>
</svg>`);

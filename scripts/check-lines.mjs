// Checks comments, which the formatter leaves alone: `node scripts/check-lines.mjs` prints each line of a comment that is longer
// than the formatter's lineWidth, and each doc comment that begins with a word for what stands elsewhere, and exits 1. Other
// lines that are longer are strings and templates: the formatter cannot break these.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { lineWidth } = JSON.parse(readFileSync('biome.json', 'utf8')).formatter;
const FOLDERS = ['src', 'test', 'scripts', 'bench'];
const isComment = (line) => /^\s*(?:\/\/|\/\*|\*[ /])/.test(line);
/** A tool wants these in one line. */
const isDirective = (line) => /biome-ignore|@ts-expect-error/.test(line);

/** First words that mean something outside of the comment. A doc comment is read alone, in an editor's hover. */
const OPENER =
  /\/\*\*\s*(?:\*\s+)?((?:The (?:same|others?|rest)|Those|That|These|This|Its?|They|Their|As|Of|Also|And|With|Without)\b)/g;

let wrong = 0;
const say = (line) => {
  console.log(line);
  wrong += 1;
};
const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name))).filter(
  (path) => /\.(?:tsx?|mjs|cjs)$/.test(path) && !path.includes('/fixtures/'),
);
for (const path of files) {
  const text = readFileSync(path, 'utf8');
  for (const [i, line] of text.split('\n').entries())
    if (line.length > lineWidth && isComment(line) && !isDirective(line))
      say(`${path}:${i + 1}: a comment of ${line.length} characters; at most ${lineWidth} fit`);
  for (const { index, 1: opener } of text.matchAll(OPENER)) {
    const line = text.slice(0, index).split('\n').length;
    say(`${path}:${line}: a doc comment begins with "${opener}": name what it is about`);
  }
}
console.log(wrong === 0 ? `lines: the comments of ${files.length} files keep to them` : `lines: ${wrong} are to be mended`);
process.exitCode = wrong === 0 ? 0 : 1;

/** Instrumented text: building it from a source and its edits, restoring the source, and mapping columns. Without a parser. */
export { assemble } from './assemble.js';
export { ColumnMap } from './column-map.js';
export { deserializeEdits, type Edits, serializeEdits } from './edits.js';
export { TEXT_FORMAT } from './pieces.js';
export { choosePrefix, prefixOf } from './prefix.js';
export { restore } from './restore.js';

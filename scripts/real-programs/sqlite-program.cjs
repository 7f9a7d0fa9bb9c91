// SQLite at work in a Node process: one answer for each line. `node sqlite-program.cjs FOLDER_OF_BETTER_SQLITE3`
const { createHash } = require('node:crypto');
const { createInterface } = require('node:readline');

const Database = require(process.argv[2]);
const database = new Database(':memory:');
const ROWS = 400;

function doubled(number) {
  return 2 * number;
}

function filled() {
  database.exec('DROP TABLE IF EXISTS sale; CREATE TABLE sale(id INTEGER PRIMARY KEY, name TEXT, price REAL, note BLOB)');
  const insert = database.prepare('INSERT INTO sale(name, price, note) VALUES (?, ?, ?)');
  database.transaction(() => {
    for (let i = 0; i < ROWS; i++) insert.run(`name ${i * 7919}`, i / 3, Buffer.from([i & 255, 7]));
  })();
  database.exec('CREATE INDEX by_name ON sale(name)');
}

function refused() {
  try {
    database.prepare('INSERT INTO sale(id) VALUES (1)').run();
  } catch (error) {
    return error.code;
  }
}

/** A digest of what the queries return: rows, sums, what a function of JavaScript returns to SQLite, an error. */
function answer() {
  filled();
  const rows = database.prepare("SELECT * FROM sale WHERE name LIKE '%1%' ORDER BY price DESC").all();
  const sum = database.prepare('SELECT count(*) AS count, sum(doubled(price)) AS sum FROM sale WHERE length(name) > 9').get();
  const text = database.prepare('SELECT json_group_array(name) AS names FROM sale').pluck().get();
  const groups = [...database.prepare('SELECT id % 7 AS rest, max(name) AS last FROM sale GROUP BY rest').iterate()];
  const result = JSON.stringify([rows, sum, text, groups, refused(), database.pragma('integrity_check')]);
  return `${rows.length} rows, ${sum.count} doubled, ${createHash('sha256').update(result).digest('hex')}`;
}

database.function('doubled', doubled);
createInterface({ input: process.stdin }).on('line', () => console.log(answer()));
console.log('ready');

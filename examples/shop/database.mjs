import initSqlJs from 'sql.js';
import { CATALOGUE, SOLD_OUT } from './catalogue.mjs';
import { NotFound, OutOfStock } from './errors.mjs';

const SCHEMA = `
  CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price INTEGER NOT NULL, weight INTEGER NOT NULL, stock INTEGER NOT NULL);
  CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, total INTEGER NOT NULL, payment TEXT NOT NULL);
  CREATE TABLE purchase_line (purchase INTEGER NOT NULL, item INTEGER NOT NULL, quantity INTEGER NOT NULL, price INTEGER NOT NULL);
  CREATE INDEX item_name ON item (name);
  CREATE INDEX line_purchase ON purchase_line (purchase);
`;

/** A new SQLite database in memory, holding the catalogue and one order. */
export async function openDatabase() {
  const { Database } = await initSqlJs();
  const database = { connection: new Database(), statements: new Map() };
  database.connection.run(SCHEMA);
  inTransaction(database, () => {
    for (const item of [...CATALOGUE, SOLD_OUT]) insertItem(database, item);
    insert(database, "INSERT INTO purchase (customer, total, payment) VALUES ('grace', 2520, 'grace-0')", []);
    insert(database, 'INSERT INTO purchase_line VALUES (1, 8, 2, 2020)', []);
  });
  return database;
}

export function closeDatabase(database) {
  for (const statement of database.statements.values()) statement.free();
  database.connection.close();
}

/** Up to `limit` items whose name contains `text`, by name. */
export function findItems(database, text = '', limit = 20) {
  return selectAll(database, 'SELECT * FROM item WHERE name LIKE ? ORDER BY name LIMIT ?', [`%${text}%`, limit]);
}

/** The item with that id; throws NotFound. */
export function findItem(database, id) {
  const item = selectOne(database, 'SELECT * FROM item WHERE id = ?', [id]);
  if (item === undefined) throw new NotFound(`item ${id}`);
  return item;
}

/** The order with its lines; throws NotFound. */
export function findOrder(database, id) {
  const order = selectOne(database, 'SELECT * FROM purchase WHERE id = ?', [id]);
  if (order === undefined) throw new NotFound(`order ${id}`);
  const lines = selectAll(
    database,
    'SELECT item.name, quantity, purchase_line.price FROM purchase_line JOIN item ON item.id = item WHERE purchase = ?',
    [id],
  );
  return { ...order, lines };
}

/** Stores a paid order and takes its items from the stock, all or nothing; returns its id. Throws OutOfStock. */
export function createOrder(database, { customer, cart, payment }) {
  return inTransaction(database, () => {
    const order = insert(database, 'INSERT INTO purchase (customer, total, payment) VALUES (?, ?, ?)', [
      customer,
      cart.total,
      payment,
    ]);
    for (const line of cart.lines) {
      takeFromStock(database, line.item, line.quantity);
      insert(database, 'INSERT INTO purchase_line VALUES (?, ?, ?, ?)', [order, line.item.id, line.quantity, line.price]);
    }
    return order;
  });
}

function insertItem(database, { name, price, weight, stock }) {
  return insert(database, 'INSERT INTO item (name, price, weight, stock) VALUES (?, ?, ?, ?)', [name, price, weight, stock]);
}

function takeFromStock(database, item, quantity) {
  execute(database, 'UPDATE item SET stock = stock - ? WHERE id = ? AND stock >= ?', [quantity, item.id, quantity]);
  if (database.connection.getRowsModified() === 0) throw new OutOfStock(item, quantity);
}

function inTransaction(database, work) {
  database.connection.run('BEGIN');
  try {
    const result = work();
    database.connection.run('COMMIT');
    return result;
  } catch (error) {
    database.connection.run('ROLLBACK');
    throw error;
  }
}

function selectAll(database, sql, values) {
  const statement = prepared(database, sql);
  statement.bind(values);
  const rows = [];
  while (statement.step()) rows.push(statement.getAsObject());
  statement.reset();
  return rows;
}

function selectOne(database, sql, values) {
  return selectAll(database, sql, values)[0];
}

function execute(database, sql, values) {
  prepared(database, sql).run(values);
}

function insert(database, sql, values) {
  execute(database, sql, values);
  return selectOne(database, 'SELECT last_insert_rowid() AS id', []).id;
}

/** One compiled statement for each SQL text, kept for the next time. */
function prepared(database, sql) {
  let statement = database.statements.get(sql);
  if (statement === undefined) {
    statement = database.connection.prepare(sql);
    database.statements.set(sql, statement);
  }
  return statement;
}

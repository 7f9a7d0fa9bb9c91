// A live patch for the running shop: `npx fentry livepatch examples/shop/livepatch/merge-lines.mjs`.
// The bug: an item that stands in two lines of a cart is counted twice over. Two lines of five pieces get no discount, where one line of
// ten does; and each line is compared with the whole stock.
import { findItem } from '../database.mjs';
import { BadRequest } from '../errors.mjs';

/** What handlers/orders.mjs does not export. */
export const klpSymbols = { readQuantity: 'readQuantity' };

/** Replaces readCart() of handlers/orders.mjs: one line for each item. */
export function readCart(database, body) {
  if (!Array.isArray(body?.lines) || body.lines.length === 0) throw new BadRequest('lines must be a list of { item, quantity }');
  const { readQuantity } = klpSymbols;
  const quantities = new Map();
  for (const { item, quantity } of body.lines) quantities.set(item, (quantities.get(item) ?? 0) + readQuantity(quantity));
  return Array.from(quantities, ([item, quantity]) => ({ item: findItem(database, item), quantity }));
}

import { createOrder, findItem, findOrder } from '../database.mjs';
import { BadRequest } from '../errors.mjs';
import { authorizePayment } from '../payment.mjs';
import { priceCart } from '../pricing.mjs';

/** The body `{ lines: [{ item: ID, quantity }] }` with each id replaced by its item. Throws BadRequest, NotFound. */
function readCart(database, body) {
  if (!Array.isArray(body?.lines) || body.lines.length === 0) throw new BadRequest('lines must be a list of { item, quantity }');
  return body.lines.map(({ item, quantity }) => ({ item: findItem(database, item), quantity: readQuantity(quantity) }));
}

function readQuantity(quantity) {
  if (!Number.isInteger(quantity) || quantity < 1) throw new BadRequest(`${quantity} is no quantity`);
  return quantity;
}

/** POST /cart/price */
export const showCartPrice = (database) =>
  function showCartPrice(request, response) {
    response.json(priceCart(readCart(database, request.body)));
  };

/** POST /orders */
export const placeOrder = (database) =>
  async function placeOrder(request, response) {
    const cart = priceCart(readCart(database, request.body));
    const payment = await authorizePayment(request.customer, cart.total);
    const order = createOrder(database, { customer: request.customer, cart, payment });
    response.status(201).location(`/orders/${order}`).json({ order, total: cart.total, payment });
  };

/** GET /orders/ID */
export const showOrder = (database) =>
  async function showOrder(request, response) {
    response.json(findOrder(database, Number(request.params.id)));
  };

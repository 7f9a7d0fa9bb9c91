import express from 'express';
import { NotFound } from './errors.mjs';
import { listItems, showItem } from './handlers/items.mjs';
import { placeOrder, showCartPrice, showOrder } from './handlers/orders.mjs';
import { answerError, customer, requestId } from './middleware.mjs';

/** The shop's Express application on an open database. */
export function createApp(database) {
  const app = express();
  app.disable('x-powered-by');
  app.use(requestId, customer, express.json());
  app.get('/items', listItems(database));
  app.get('/items/:id', showItem(database));
  app.post('/cart/price', showCartPrice(database));
  app.post('/orders', placeOrder(database));
  app.get('/orders/:id', showOrder(database));
  app.use(function noSuchPage(request) {
    throw new NotFound(request.path);
  });
  app.use(answerError);
  return app;
}

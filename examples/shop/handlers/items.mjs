import { findItem, findItems } from '../database.mjs';
import { renderItem, renderItemList } from '../views.mjs';

/** GET /items?q=TEXT */
export const listItems = (database) =>
  function listItems(request, response) {
    const items = findItems(database, request.query.q);
    response.format({ html: () => response.send(renderItemList(items)), json: () => response.json(items) });
  };

/** GET /items/ID */
export const showItem = (database) =>
  async function showItem(request, response) {
    const item = findItem(database, Number(request.params.id));
    response.format({ html: () => response.send(renderItem(item)), json: () => response.json(item) });
  };

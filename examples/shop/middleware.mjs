import { ShopError } from './errors.mjs';
import { renderError } from './views.mjs';

let requests = 0;

/** Numbers the requests, so that a client can name the one that failed. */
export function requestId(_request, response, next) {
  response.set('x-request-id', String(++requests));
  next();
}

/** Who is shopping: the name in the `customer` header, or a guest. */
export function customer(request, _response, next) {
  request.customer = request.get('customer') ?? 'guest';
  next();
}

/** Answers with the error's status; what is not a ShopError is the server's own fault and says no more than that. */
export function answerError(error, request, response, _next) {
  const known = error instanceof ShopError ? error : new ShopError(error.status ?? 500, 'internal error');
  response.status(known.status);
  if (request.accepts(['html', 'json']) === 'html') response.send(renderError(known));
  else response.json({ error: known.name, message: known.message });
}

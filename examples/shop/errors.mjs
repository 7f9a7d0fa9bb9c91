/** Errors that a client may see, each with its HTTP status. */
export class ShopError extends Error {
  constructor(status, message) {
    super(message);
    this.name = new.target.name;
    this.status = status;
  }
}

export class NotFound extends ShopError {
  constructor(what) {
    super(404, `${what} does not exist`);
  }
}

export class BadRequest extends ShopError {
  constructor(message) {
    super(400, message);
  }
}

export class OutOfStock extends ShopError {
  constructor(item, wanted) {
    super(409, `${item.name}: ${wanted} wanted, ${item.stock} left`);
  }
}

export class PaymentRefused extends ShopError {
  constructor(total) {
    super(402, `a payment of ${total} cents was refused`);
  }
}

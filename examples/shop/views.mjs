const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (char) => ENTITIES[char]);

const formatPrice = (cents) => `€ ${(cents / 100).toFixed(2)}`;

function renderPage(title, body) {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>`;
}

function renderRow(item) {
  return `<tr><td><a href="/items/${item.id}">${escapeHtml(item.name)}</a></td><td>${formatPrice(item.price)}</td></tr>`;
}

export function renderItemList(items) {
  return renderPage('The tea shop', `<table>${items.map(renderRow).join('')}</table>`);
}

export function renderItem(item) {
  const state = item.stock > 0 ? 'in stock' : 'sold out';
  return renderPage(item.name, `<p>${formatPrice(item.price)}, ${item.weight} g, ${state}</p>`);
}

export function renderError(error) {
  return renderPage(error.name, `<p>${escapeHtml(error.message)}</p>`);
}

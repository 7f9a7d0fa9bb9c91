// The shop: `node examples/shop/server.mjs [PORT]`. Ends cleanly on SIGTERM and SIGINT.
import { createApp } from './app.mjs';
import { closeDatabase, openDatabase } from './database.mjs';

const database = await openDatabase();
const server = createApp(database).listen(Number(process.argv[2] ?? 3000), '127.0.0.1', (error) => {
  if (error) throw error;
  console.log(`shop ${process.pid} listens on http://127.0.0.1:${server.address().port}`);
});

function stop() {
  server.close(() => closeDatabase(database));
  server.closeAllConnections();
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

// For mocha's --require: SQLite is loaded, and the first test waits until the parent process says so. SQLITE names the folder of
// better-sqlite3.
exports.mochaHooks = {
  beforeAll(done) {
    this.timeout(0);
    const Database = require(process.env.SQLITE);
    new Database(':memory:').close();
    process.once('message', () => {
      process.disconnect();
      done();
    });
    process.send('ready');
  },
};

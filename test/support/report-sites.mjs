// Preload for tests: when the program ends, names on stderr each of its own files whose text, as V8 runs it, has sites.
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const report = () => {
  const session = new Session();
  session.connect();
  const scripts = [];
  session.on('Debugger.scriptParsed', ({ params }) => scripts.push(params));
  session.post('Debugger.enable');
  for (const { scriptId, url } of scripts) {
    if (!/fixtures/.test(url)) continue;
    session.post('Debugger.getScriptSource', { scriptId }, (_error, found) => {
      const sites = found?.scriptSource.match(/typeof \$f\$*\d+===/g) ?? [];
      process._rawDebug(`sites ${isMainThread ? '' : 'worker '}${url.replace(/.*fixtures\//, '')} ${sites.length}`);
    });
  }
  session.disconnect();
};
process.on('exit', report);

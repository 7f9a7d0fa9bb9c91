import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRNO, TraceError } from '../../../src/base/errno.js';
import { ErrorLog } from '../../../src/control/tracefs/error-log.js';
import type { EventDefinition, TraceEvent } from '../../../src/events/define.js';
import type { HistEvent } from '../../../src/events/hist/hist-event.js';
import { HistNames, HistTriggers } from '../../../src/events/hist/hist-triggers.js';
import { listedTrigger } from '../../../src/events/hist/listing.js';
import { listedEvent } from '../../../src/events/synthetic/synthetic-event.js';
import { SyntheticEvents } from '../../../src/events/synthetic/synthetic-events.js';

const folder = new URL('../../../../test/parity/hist/', import.meta.url);
const answers = readFileSync(new URL('answers.txt', folder), 'utf8');

/** An instance with nothing but synthetic events and their hist triggers. */
class Instance {
  readonly #log = new ErrorLog();
  readonly #events = new Map<string, TraceEvent>();
  readonly #logError = (location: string, message: string, command: string, position: number): void =>
    this.#log.log(0, location, message, command, position);
  readonly #synthetic = new SyntheticEvents({
    register: (definition: EventDefinition) => {
      const event = { ...definition, id: this.#events.size };
      this.#events.set(definition.name, event);
      return event;
    },
    unregister: ({ name }) => this.#events.delete(name),
    logError: this.#logError,
  });
  readonly #triggers = new HistTriggers(
    {
      findEvent: (system, name) => (system === 'synthetic' ? this.#events.get(name) : undefined),
      findSynthetic: (name) => this.#synthetic.find(name),
      // Filters have answers of their own; here it only matters that some are refused.
      checkFilter(_event, filter) {
        if (['nosuch > 3', '(pid == 1', 'pid'].includes(filter)) throw new TraceError('EINVAL');
      },
      setClock(name) {
        if (!['global', 'mono'].includes(name)) throw new TraceError('EINVAL');
      },
      prepareSnapshot() {},
      logError: this.#logError,
      attach() {},
      detach() {},
    },
    new HistNames(),
  );

  /** What a write answers: a line for a refusal, and the error log. */
  #written(write: () => void): string {
    this.#log.clear();
    let refusal = '';
    try {
      write();
    } catch (error) {
      if (!(error instanceof TraceError)) throw error;
      refusal = `! ${ERRNO[error.errno][1]}\n`;
    }
    return refusal + this.#log.text().replace(/^\[[^\]]*\] /gm, '');
  }

  #event(name: string): HistEvent {
    return this.#events.get(name)!;
  }

  #shown(name: string): string {
    return this.#triggers
      .of(this.#event(name))
      .map((trigger) => `${listedTrigger(trigger)}\n`)
      .join('');
  }

  /** The answer to a line of commands.txt. */
  answer(line: string): string {
    const [kind = '', name = ''] = line.split(' ');
    const rest = line.slice(kind.length + 1);
    switch (kind) {
      case 'synth':
        return this.#written(() => this.#synthetic.write(rest.replace(/#.*/, ''))) + this.#synthetic.text();
      case 'dyn':
        return this.#written(() => this.#dynamic(rest)) + this.#dynamicText();
      case 'show':
        return this.#shown(name);
      case 'clear':
        this.#triggers.removeAll(this.#event(name));
        return this.#shown(name);
    }
    const answer = this.#written(() => this.#trigger(name, rest.slice(name.length + 1).trim())) + this.#shown(name);
    if (kind === 'once') this.#triggers.removeAll(this.#event(name));
    return answer;
  }

  #trigger(name: string, command: string): void {
    const [, remove, text] = /^(!?)hist(?:[: \t]\s*(.*))?$/.exec(command)!;
    this.#triggers.write(this.#event(name), text ?? '', remove === '!');
  }

  #dynamic(line: string): void {
    const [, name] = /^-:(?:synthetic\/)?(\w+)$/.exec(line) ?? [];
    if (name !== undefined) this.#synthetic.remove(name);
    else if (line.startsWith('-')) throw new TraceError('ENOENT');
    else if (!this.#synthetic.writeDynamic(line)) throw new TraceError('EINVAL');
  }

  #dynamicText(): string {
    return this.#synthetic
      .list()
      .map((event) => `s:synthetic/${listedEvent(event)}\n`)
      .join('');
  }
}

/** What fentry has of Linux 6.3. */
const YOUNGER = ['hitcount.percent', 'nohitcount'];

const instance = new Instance();
for (const block of answers.split(/^>>> /m).slice(1)) {
  const line = block.slice(0, block.indexOf('\n'));
  const expected = block.slice(line.length + 1);
  const answer = instance.answer(line);
  if (YOUNGER.some((word) => line.includes(word))) continue;
  test(line, () => assert.equal(answer, expected));
}

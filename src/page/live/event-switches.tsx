import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { visibleLine } from '../../base/visible.js';
import { write } from './live-actions.js';
import { changes, isReadOnly, pid, server } from './live-state.js';
import { Refusal, useAction } from './use-action.js';

/** The events of a system, and those of them that are on. */
interface System {
  readonly system: string;
  readonly names: readonly string[];
  readonly on: ReadonlySet<string>;
}

/** The events of the process by their systems, on or off. */
export function EventSwitches() {
  const action = useAction();
  const reading = useAction();
  const available = useSignal('');
  const enabled = useSignal('');
  const sought = useSignal('');
  const read = async (): Promise<void> => {
    if (available.value === '') available.value = await server.file(pid.value!, 'available_events');
    enabled.value = await server.file(pid.value!, 'set_event');
  };
  useEffect(() => void reading.read(read), [changes.value]);
  const systems = useComputed(() => systemsOf(available.value, enabled.value, sought.value)).value;
  const on = systems.reduce((sum, one) => sum + one.on.size, 0);
  return (
    <details>
      <summary data-action="find" data-row>
        Events: {on === 0 ? 'none is on' : `${on} are on`} <kbd>/</kbd>
      </summary>
      <p class="bar">
        <input
          type="search"
          aria-label="Search in events"
          placeholder="http, gc ..."
          value={sought.value}
          onInput={({ currentTarget }) => (sought.value = currentTarget.value)}
        />
      </p>
      <Refusal of={action} />
      <Refusal of={reading} />
      {systems.map(({ system, names, on: isOn }) => (
        <details key={system} class="system">
          <summary data-row>
            {visibleLine(system)}: {isOn.size} of {names.length}
          </summary>
          <Switch
            title={`all of ${system}`}
            isOn={isOn.size === names.length}
            set={(text) => action.run(() => write(`events/${system}/enable`, text))}
          />
          {names.map((name) => (
            <Switch
              key={name}
              title={name}
              isOn={isOn.has(name)}
              set={(text) => action.run(() => write(`events/${system}/${name}/enable`, text))}
            />
          ))}
        </details>
      ))}
    </details>
  );
}

interface SwitchProps {
  readonly title: string;
  readonly isOn: boolean;
  readonly set: (text: string) => Promise<void>;
}

function Switch({ title, isOn, set }: SwitchProps) {
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isReadOnly.value}
        onChange={({ currentTarget: { checked } }) => void set(checked ? '1' : '0')}
      />{' '}
      {visibleLine(title)}
    </label>
  );
}

function systemsOf(available: string, enabled: string, sought: string): readonly System[] {
  const isOn = new Set(enabled.split('\n'));
  const found = new Map<string, string[]>();
  for (const line of available.split('\n')) {
    const [system = '', name] = line.split(':');
    if (name === undefined || !line.includes(sought)) continue;
    const names = found.get(system);
    if (names === undefined) found.set(system, [name]);
    else names.push(name);
  }
  return Array.from(found, ([system, names]) => ({
    system,
    names,
    on: new Set(names.filter((name) => isOn.has(`${system}:${name}`))),
  }));
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { NodeProcess } from '../../answers/live/live-answer.js';
import { visibleLine } from '../../base/visible.js';
import { ColumnHeads } from '../column-heads.js';
import { readProcesses, showProcess } from './live-actions.js';
import { pid, processes } from './live-state.js';
import { Refusal, useAction } from './use-action.js';

/** The processes of Node, those with fentry first. */
export function ProcessesView() {
  const action = useAction();
  const sought = useSignal('');
  useEffect(() => void action.read(readProcesses), []);
  const isSought = ({ program, command, folder, pid }: NodeProcess): boolean =>
    [program, command, folder, String(pid)].some((text) => text.toLowerCase().includes(sought.value.toLowerCase()));
  const shown = processes.value.filter(isSought);
  return (
    <section class="scrolled live" aria-label="Processes">
      <p class="bar">
        <input
          type="search"
          data-action="find"
          aria-label="Search in processes"
          placeholder="Search /"
          value={sought.value}
          onInput={({ currentTarget }) => (sought.value = currentTarget.value)}
        />{' '}
        <button type="button" data-action="refresh" onClick={() => action.run(readProcesses)}>
          Read again <kbd>r</kbd>
        </button>
      </p>
      <Refusal of={action} />
      <Table
        title="With fentry"
        words="None: start one with fentry env node app.js, or choose one below and load fentry into it."
        rows={shown.filter(({ isPrepared }) => isPrepared)}
      />
      <Table
        title="Without fentry: they can be asked what they do"
        words="None."
        rows={shown.filter(({ isPrepared }) => !isPrepared)}
      />
    </section>
  );
}

interface TableProps {
  readonly title: string;
  readonly words: string;
  readonly rows: readonly NodeProcess[];
}

function Table({ title, words, rows }: TableProps) {
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="faint">{words}</p>
      ) : (
        <table>
          <ColumnHeads names={['Process', 'Program', 'Command', 'Folder']} />
          <tbody>
            {rows.map((one) => (
              <tr key={one.pid} class={one.pid === pid.value ? 'chosen' : ''}>
                <th scope="row">
                  <button type="button" class="link" data-row onClick={() => showProcess(one.pid)}>
                    {one.pid}
                  </button>
                </th>
                <td class="words">{visibleLine(one.program)}</td>
                <td class="words faint">{visibleLine(one.command)}</td>
                <td class="words faint">{visibleLine(one.folder)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

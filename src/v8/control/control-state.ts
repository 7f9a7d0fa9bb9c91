import type { ControlState } from '../../port/control-state.js';
import { CONTROL_STATE, type ControlBlock, WORD } from '../shared/control-block.js';

/** Sets the state of the control thread in the control block; program threads wait for it. */
export const createControlState = (block: ControlBlock, tid: number): ControlState => {
  const { STARTING, BINDING, LISTENING, ENDED } = CONTROL_STATE;
  const enter = (state: number): void => {
    Atomics.store(block, WORD.CONTROL, state);
    Atomics.notify(block, WORD.CONTROL);
  };
  Atomics.store(block, WORD.CONTROL_TID, tid);
  return {
    mayListen: () => Atomics.compareExchange(block, WORD.CONTROL, STARTING, BINDING) === STARTING,
    listens: () => enter(LISTENING),
    endsWithProgram: true,
    hasClients(has) {
      Atomics.store(block, WORD.HAS_CLIENTS, has ? 1 : 0);
      return Atomics.load(block, WORD.PROGRAM_ENDS) === 0;
    },
    ends: () => enter(ENDED),
  };
};

import { afterPlay } from '../advance/after-play.ts';
import type { TableSetting } from '../advance/setting.ts';
import type { TableState } from '../advance/state.ts';
import { findInput, playInput, undoTo } from '../game/play.ts';
import type { RollRuling } from '../sensing/ruling.ts';

/**
 * Makes play go on as it was recorded where the code of today rules a roll otherwise: the recorded ruling is put in the
 * place of its own, so that what people did afterwards still fits and one flipped roll does not carry away those after it.
 */
export function leadPlay(state: TableState, setting: TableSetting, recorded: RollRuling): void {
  const { ruleset } = setting;
  const { roll, atMs } = recorded;
  const seq = findInput(state.play, (input) => input.roll === roll);
  const undone = seq === undefined ? undefined : undoTo(state.play, ruleset, seq - 1);
  const earlier = undone?.ok === true ? undone.play : state.play;
  const input = ruleset.rulingInput(earlier.state, recorded);
  const played = input === undefined ? undefined : playInput(earlier, ruleset, input);
  if (played?.ok !== true) return;
  state.play = played.play;
  state.rulings = [...state.rulings.filter((one) => one.roll !== roll), recorded];
  afterPlay(state, setting, atMs, []);
}

import type { Ruleset } from '../game/ruleset.ts';
import type { Json, TableId } from '../ids.ts';
import type { Theme } from '../scene/theme.ts';
import type { Calibration } from '../sensing/calibration.ts';
import type { Layout } from '../sensing/layout.ts';
import type { SensingLimits } from '../sensing/limits.ts';
import type { LinkSetting } from '../sensing/link.ts';

/** Everything about a table that does not change while it runs. Recorded at the head of its journal. */
export type TableSetting = {
  readonly table: TableId;
  /** Every way in and what its wire may do to lines. */
  readonly links: LinkSetting['links'];
  readonly layout: Layout;
  readonly calibration: Calibration;
  readonly ruleset: Ruleset;
  /** Options of the first game; checked by the ruleset. */
  readonly rulesetOptions: Json;
  readonly theme: Theme;
  readonly limits: SensingLimits;
  /** Most current that the LEDs of one board may draw, mA. */
  readonly ledBudgetMa: number;
  /**
   * Priority windows in which the holder does nothing for this long pass by themselves, ms; the pass is an input like
   * any other. Undefined: people pass.
   */
  readonly autoPassMs?: number;
  /** A match begins only once its sensors were found sound, or somebody says why it shall begin all the same. */
  readonly checksSensors?: boolean;
  /** Games of a match; one when absent. */
  readonly bestOf?: 1 | 3;
  /** Whoever lost a game of a match says who begins the next one. */
  readonly loserChooses?: boolean;
  readonly simulated: boolean;
};

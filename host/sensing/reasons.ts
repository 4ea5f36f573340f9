import type { Reason } from './ruling.ts';

const reason = (code: string, rules: readonly string[], text: string): Reason => ({ code, rules, text });

/** Reasons of rulings: stable codes, the rules they rest on, and one sentence for people. */
export const REASONS = {
  openSeen: reason('open/seen', ['5.7.1.4', '5.7.2'], 'The magnet snapped onto the core.'),
  openNotSeen: reason('open/not-seen', ['5.7.2'], 'No magnet snapped onto a core.'),
  openNoCore: reason(
    'open/no-core-contact',
    ['5.7.1.4.1'],
    'The ball opened where no core lies: not an open.',
  ),
  coreBefore: reason(
    'open/core-touched-before',
    ['5.7.1.4', 'AM-05'],
    'It had touched a core on its way; whether that counts is for a judge to say.',
  ),
  openDoubtful: reason(
    'doubt/open-unclear',
    ['5.7.2'],
    'The field looks neither like an open nor like a pass.',
  ),
  perhapsHidden: reason(
    'doubt/perhaps-on-same-core',
    ['5.7.2.2'],
    'Its way led to the core that the other ball holds, and it was not seen again: look there.',
  ),
  rolledOut: reason('open/rolled-out', ['5.7.2.1'], 'The ball has not moved since and did not open.'),
  attached: reason('attached/still-there', ['5.7.2', 'AM-07'], 'The ball rests on the core.'),
  attachedTwo: reason('attached/two-cores', ['5.7.2'], 'The ball rests on two cores.'),
  attachedShared: reason('attached/same-core', ['5.7.2.2'], 'Both balls rest on this core.'),
  left: reason('attached/left', ['5.7.2.3'], 'The ball opened and did not stay on the core.'),
  onlyBall: reason('owner/only-ball', ['1.18'], 'Only this ball rolls.'),
  byTrack: reason('owner/launch-and-track', [], 'Launch gate and track lead to this ball.'),
  byPolarity: reason('owner/polarity', [], 'The polarity of its magnet fits.'),
  polarityOff: reason(
    'owner/equal-polarities',
    [],
    'Both magnets have the same polarity, so it says nothing: gates and tracks alone decide.',
  ),
  polarityTurned: reason(
    'owner/polarity-turned',
    [],
    'A magnet reads the other polarity than at calibration: gates and tracks alone decide. Look whose balls these are, and calibrate them anew.',
  ),
  ownerDoubtful: reason('doubt/owner-unclear', [], 'It is unclear whose ball this was.'),
  neverSeen: reason('doubt/never-seen', ['5.7.1'], 'Nothing was ever seen of this ball.'),
  boardMissing: reason('doubt/board-silent', [], 'A side controller was not heard during the roll.'),
  magnetBefore: reason(
    'doubt/magnet-before-roll',
    [],
    'A magnet lay on this tile before the roll: lift it and calibrate anew.',
  ),
  openedBefore: reason(
    'doubt/opened-before-call',
    ['5.6.2', '5.7.1'],
    'It was on its way before the call, and what lay on a core at the call has gone since: it may have opened there.',
  ),
  notLaunched: reason(
    'doubt/not-launched',
    ['5.7.1'],
    'A magnet came onto this tile, but no ball was seen to pass a launch gate before: look there.',
  ),
  notShaken: reason(
    'doubt/no-latch-heard',
    ['5.7.1.4'],
    'A magnet came onto this tile without the shaking of a latch, and no launch gate tells whether it was rolled.',
  ),
  laidDown: reason(
    'doubt/laid-down',
    ['5.7.1.4'],
    'A magnet came onto this tile and stayed, but its contact did not shake as under a latch: look whether a ball opened there.',
  ),
  atTheCall: reason(
    'doubt/came-with-call',
    ['5.6.2', '5.7.1'],
    'What lies on this tile came onto it as the roll was called: its landing was not seen whole.',
  ),
  openedTwice: reason(
    'doubt/opened-twice',
    ['5.7.1.4', '5.7.2'],
    'Magnets came onto more tiles than one opening explains: look where this ball lies.',
  ),
  interrupted: reason(
    'doubt/interrupted',
    [],
    'The host was started again during this roll: nobody watched it whole.',
  ),
  stuckContact: reason(
    'doubt/contact-stuck',
    [],
    'This tile had its contact closed before the roll: its field alone is used.',
  ),
  notTogether: reason('illegal/not-together', ['5.7.1', 'AM-10'], 'The balls were released too far apart.'),
  spread: reason(
    'audit/released-apart',
    ['5.7.1', 'AM-10'],
    'The releases lay further apart than one call usually gives; the roll stands.',
  ),
  early: reason('illegal/early', ['5.6.2', '5.7.1', 'AM-09'], 'The ball was released before the call.'),
  perhapsEarly: reason(
    'audit/perhaps-early',
    ['5.6.2', '5.7.1'],
    'It may have been released before the call: what the gates saw leaves both open; the roll stands.',
  ),
  beyond: reason(
    'illegal/beyond-zone',
    ['5.7.1.2', 'AM-09'],
    'The ball was held past two card lengths: it was released beyond them.',
  ),
  perhapsBeyond: reason(
    'audit/perhaps-beyond',
    ['5.7.1.2'],
    'A hand was over the line of two card lengths with the ball or just after it: whether it let go before the line is for a judge to say; the roll stands.',
  ),
  bounced: reason('illegal/bounced', ['5.7.1.3', 'AM-09'], 'The ball left the ground on its way.'),
  hopped: reason(
    'audit/hopped',
    ['5.7.1.3'],
    'The ball hopped a little over a tile, lower than what makes a roll void.',
  ),
} as const;

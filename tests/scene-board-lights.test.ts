import { describe, expect, it } from 'vitest';
import {
  ANSWER_WITHIN_MS,
  ARM_ANYWAY_MS,
  forgetShown,
  freshBoardLights,
  lightsDueAt,
  nextFrame,
  REST_MS,
  TRIES,
  takeAnswer,
  wantArmed,
  wantIdentify,
  wantLights,
} from '../host/scene/board-lights.ts';
import { all, BLUE, brief, GREEN, glow, RED, settle, showing } from './support/lit-board.ts';

describe('a board just heard of', () => {
  it('is disarmed first, then shown everything, one colour a line', () => {
    const board = freshBoardLights(6);
    wantLights(board, [glow(RED), glow(BLUE), glow(RED), glow(RED), glow(BLUE), glow(GREEN)]);
    expect(settle(board, 0).map(brief)).toEqual([
      'arm false',
      'led 1101 ff0000',
      'led 10010 ff',
      'led 100000 ff00',
    ]);
    expect(lightsDueAt(board)).toBeUndefined();
    expect(nextFrame(board, 1e9)).toBeUndefined();
  });

  it('is told to be dark too: nobody knows what it shows', () => {
    expect(settle(freshBoardLights(6), 0).map(brief)).toEqual(['arm false', 'led 111111 0']);
  });
});

describe('one line at a time', () => {
  it('says nothing more until the line is answered', () => {
    const board = showing(RED);
    wantLights(board, [glow(GREEN), ...all(BLUE, 5)]);
    const first = nextFrame(board, 10);
    expect(brief(first)).toBe('led 1 ff00');
    for (let atMs = 10; atMs < 10 + ANSWER_WITHIN_MS; atMs++) expect(nextFrame(board, atMs)).toBeUndefined();
    takeAnswer(board, first?.tag ?? -1, 'ok', 15);
    expect(brief(nextFrame(board, 15))).toBe('led 111110 ff');
  });

  it('says the same line again, with the same tag, when no answer came in time', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    const first = nextFrame(board, 100);
    wantLights(board, all(GREEN));
    expect(lightsDueAt(board)).toBe(100 + ANSWER_WITHIN_MS);
    expect(nextFrame(board, 100 + ANSWER_WITHIN_MS)).toEqual(first);
  });

  it('lets the newest wish win: what was wished for in between is never sent', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    const first = nextFrame(board, 0);
    for (const rgb of [1, 2, 3, 4, 5, GREEN]) wantLights(board, all(rgb));
    takeAnswer(board, first?.tag ?? -1, 'ok', 5);
    expect(settle(board, 5).map(brief)).toEqual(['led 111111 ff00']);
  });

  it('sends nothing when the wish comes back to what is shown before anything was sent', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    wantLights(board, all(RED));
    expect(nextFrame(board, 0)).toBeUndefined();
    expect(lightsDueAt(board)).toBeUndefined();
  });

  it('ignores answers to anything else than the line on its way', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    const first = nextFrame(board, 0);
    const tag = first?.tag ?? -1;
    for (const other of [(tag + 1) & 255, (tag + 255) & 255]) takeAnswer(board, other, 'ok', 1);
    expect(nextFrame(board, 1)).toBeUndefined();
    takeAnswer(board, tag, 'ok', 2);
    takeAnswer(board, tag, 'refused', 2);
    expect(lightsDueAt(board)).toBeUndefined();
  });

  it('numbers lines 1 to 255 in turn; 0 is for lines that nobody waits for', () => {
    const board = showing(RED);
    const tags = Array.from({ length: 300 }, (_, i) => {
      wantLights(board, all(i % 2 ? RED : BLUE));
      return settle(board, i)[0]?.tag ?? -1;
    });
    expect(new Set(tags)).toEqual(new Set(Array.from({ length: 255 }, (_, i) => i + 1)));
    tags.slice(255).forEach((tag, i) => {
      expect(tag).toBe(tags[i]);
    });
  });
});

describe('answers', () => {
  it('held counts as shown: the board keeps it for when it is disarmed', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    takeAnswer(board, nextFrame(board, 0)?.tag ?? -1, 'held', 3);
    expect(lightsDueAt(board)).toBeUndefined();
  });

  it('unknown ends the matter: a board without LEDs is not asked for ever', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    takeAnswer(board, nextFrame(board, 0)?.tag ?? -1, 'unknown', 3);
    expect(lightsDueAt(board)).toBeUndefined();
  });

  it('refused counts as not shown; the board is left alone for a while, then asked with the newest wish', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    takeAnswer(board, nextFrame(board, 0)?.tag ?? -1, 'refused', 3);
    wantLights(board, all(GREEN));
    expect(nextFrame(board, 3)).toBeUndefined();
    expect(lightsDueAt(board)).toBe(3 + REST_MS);
    expect(brief(nextFrame(board, 3 + REST_MS))).toBe('led 111111 ff00');
  });

  it('a board that refuses always is asked about once a second, not in a loop', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    let asked = 0;
    for (let atMs = 0; atMs < 10_000; atMs++) {
      const frame = nextFrame(board, atMs);
      if (frame === undefined) continue;
      asked++;
      takeAnswer(board, frame.tag, 'refused', atMs);
    }
    expect(asked).toBe(10);
  });
});

describe('a board that does not answer', () => {
  it('is told four times, left alone for a second, then told the newest wish', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    const times: number[] = [];
    for (let atMs = 0; atMs < 3000; atMs++) {
      if (nextFrame(board, atMs) !== undefined) times.push(atMs);
      if (atMs === 1500) wantLights(board, all(GREEN));
    }
    const gaveUp = TRIES * ANSWER_WITHIN_MS;
    const tries = Array.from({ length: TRIES }, (_, i) => i * ANSWER_WITHIN_MS);
    expect(times.slice(0, TRIES)).toEqual(tries);
    expect(times.slice(TRIES)).toEqual(tries.map((ms) => gaveUp + REST_MS + ms).filter((ms) => ms < 3000));
  });

  it('is asked anew for what was given up, even when the wish has gone back to what it showed before', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    // All tries reach the board, all answers are lost: it shows blue.
    for (let atMs = 0; atMs <= TRIES * ANSWER_WITHIN_MS; atMs++) nextFrame(board, atMs);
    wantLights(board, all(RED));
    const atMs = TRIES * ANSWER_WITHIN_MS + REST_MS;
    expect(lightsDueAt(board)).toBe(atMs);
    expect(brief(nextFrame(board, atMs))).toBe('led 111111 ff0000');
  });
});

describe('arming', () => {
  it('waits for the rolling frame, then nothing is sent until the roll is over', () => {
    const board = showing(RED);
    wantLights(board, all(GREEN));
    wantArmed(board, true, 100);
    expect(settle(board, 100).map(brief)).toEqual(['led 111111 ff00', 'arm true']);
    wantLights(board, all(BLUE));
    expect(lightsDueAt(board)).toBeUndefined();
    expect(nextFrame(board, 5000)).toBeUndefined();
    wantArmed(board, false, 6000);
    expect(settle(board, 6000).map(brief)).toEqual(['arm false', 'led 111111 ff']);
  });

  it('needs no new colours to arm', () => {
    const board = showing(RED);
    wantArmed(board, true, 0);
    expect(settle(board, 0).map(brief)).toEqual(['arm true']);
  });

  it('goes ahead at the first time-out after 400 ms when the rolling frame is not answered', () => {
    const board = showing(RED);
    wantLights(board, all(GREEN));
    wantArmed(board, true, 0);
    const said: string[] = [];
    for (let atMs = 0; atMs <= 600; atMs++) {
      const frame = nextFrame(board, atMs);
      if (frame !== undefined) said.push(`${atMs} ${brief(frame)}`);
    }
    const at = Math.ceil(ARM_ANYWAY_MS / ANSWER_WITHIN_MS) * ANSWER_WITHIN_MS;
    expect(said).toEqual(['0 led 111111 ff00', `${ANSWER_WITHIN_MS} led 111111 ff00`, `${at} arm true`]);
  });

  it('leaves further colours for later when their turn comes after 400 ms', () => {
    const board = showing(RED);
    wantLights(board, [glow(1), glow(2), glow(3), glow(4), glow(5), glow(6)]);
    wantArmed(board, true, 0);
    const said: string[] = [];
    for (let atMs = 0, answerAt = Infinity; atMs <= 2000; atMs++) {
      if (atMs >= answerAt) {
        takeAnswer(board, board.inFlight?.tag ?? -1, 'ok', atMs);
        answerAt = Infinity;
      }
      const frame = nextFrame(board, atMs);
      if (frame === undefined) continue;
      said.push(brief(frame));
      answerAt = atMs + 150;
    }
    expect(said).toEqual(['led 1 1', 'led 10 2', 'led 100 3', 'arm true']);
  });

  it('is taken back when the roll ends before it was answered', () => {
    const board = showing(RED);
    wantArmed(board, true, 0);
    const arm = nextFrame(board, 0);
    wantArmed(board, false, 20);
    takeAnswer(board, arm?.tag ?? -1, 'ok', 30);
    expect(settle(board, 30).map(brief)).toEqual(['arm false']);
  });

  it('is taken back even when nobody knows whether it was heard', () => {
    const board = showing(RED);
    wantArmed(board, true, 0);
    for (let atMs = 0; atMs <= TRIES * ANSWER_WITHIN_MS; atMs++) nextFrame(board, atMs);
    wantArmed(board, false, 1500);
    expect(settle(board, 3000).map(brief)).toEqual(['arm false']);
  });
});

describe('forgetting', () => {
  it('shows everything anew after a reset, and arms again in mid-roll', () => {
    const board = showing(RED);
    forgetShown(board);
    expect(settle(board, 50).map(brief)).toEqual(['arm false', 'led 111111 ff0000']);
    wantArmed(board, true, 100);
    settle(board, 100);
    forgetShown(board);
    expect(settle(board, 200).map(brief)).toEqual(['led 111111 ff0000', 'arm true']);
  });

  it('does not wait out a rest or an answer that the board will never give', () => {
    const board = showing(RED);
    wantLights(board, all(BLUE));
    for (let atMs = 0; atMs <= TRIES * ANSWER_WITHIN_MS; atMs++) nextFrame(board, atMs);
    forgetShown(board);
    expect(lightsDueAt(board)).toBeLessThanOrEqual(1001);
    expect(settle(board, 1001).map(brief)).toEqual(['arm false', 'led 111111 ff']);
  });
});

describe('finding a tile', () => {
  it('blinks it once, before colours that wait', () => {
    const board = showing(RED);
    wantIdentify(board, 2);
    wantLights(board, all(BLUE));
    expect(settle(board, 0).map(brief)).toEqual(['identify 100', 'led 111111 ff']);
    expect(lightsDueAt(board)).toBeUndefined();
  });

  it('is forgotten when a roll begins first', () => {
    const board = showing(RED);
    wantIdentify(board, 2);
    wantArmed(board, true, 0);
    expect(settle(board, 0).map(brief)).toEqual(['arm true']);
    wantArmed(board, false, 10);
    expect(settle(board, 10).map(brief)).toEqual(['arm false']);
  });
});

import { describe, expect, it } from 'vitest';
import { pageName } from '../bin/commands/diff.ts';

describe('the page of a roll that flips', () => {
  it('stays in its folder, however a record from elsewhere names the roll', () => {
    expect(pageName('data/t1', { game: 2, roll: 't3.1' })).toBe('t1-game2-t3.1.html');
    const hostile = pageName('data/t1', { game: 1, roll: '/../../etc/cron.d/x\\y' });
    expect(hostile).not.toMatch(/[/\\]/);
    expect(hostile.endsWith('.html')).toBe(true);
  });
});

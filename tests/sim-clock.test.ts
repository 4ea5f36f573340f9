import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createVirtualClock } from '../sim/clock.ts';

it('stops at every due moment, in order, each at its own time', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 40 }), (waits) => {
      const clock = createVirtualClock();
      const seen: number[] = [];
      for (const wait of waits) clock.after(wait, () => seen.push(clock.now()));
      clock.runTo(1000);
      expect(seen).toEqual([...waits].sort((a, b) => a - b));
      expect(clock.now()).toBe(1000);
    }),
  );
});

it('runs what a due thing asks for, within the same run and at its own moment', () => {
  const clock = createVirtualClock();
  const seen: number[] = [];
  const again = (): void => {
    seen.push(clock.now());
    if (seen.length < 5) clock.after(10, again);
  };
  clock.after(10, again);
  clock.runTo(45);
  expect(seen).toEqual([10, 20, 30, 40]);
  expect(clock.nextDue()).toBe(50);
});

it('keeps the order of requests for one moment, and forgets what was cancelled', () => {
  const clock = createVirtualClock();
  const seen: string[] = [];
  clock.after(5, () => seen.push('first'));
  const cancel = clock.after(5, () => seen.push('second'));
  clock.after(5, () => {
    seen.push('third');
    cancelLate();
  });
  const cancelLate = clock.after(6, () => seen.push('late'));
  cancel();
  clock.runTo(10);
  expect(seen).toEqual(['first', 'third']);
});

it('never runs backwards and labels its time', () => {
  const clock = createVirtualClock(0);
  clock.runTo(100);
  clock.runTo(50);
  expect(clock.now()).toBe(100);
  clock.after(-20, () => expect(clock.now()).toBe(100));
  clock.runTo(101);
  expect(clock.wall()).toBe('1970-01-01T00:00:00.101Z');
});

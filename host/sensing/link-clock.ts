/**
 * A board's own clock mapped to host time. Delay only ever adds, so the line under all arrivals of the last ten
 * seconds is where they would stand without it (the lower envelope). Device times are kept in ms, unwrapped.
 */
import type { AtMs } from '../ids.ts';

/** How much device time one kept point stands for, ms: the quickest line of each stretch is kept. */
const STRETCH_MS = 250;
/** Stretches kept: ten seconds. */
const KEPT = 40;
/** Device time from which the rate is fitted; before, it is taken as it was, or as nominal. */
const FIT_FROM_MS = 2000;
/** Silence in device time after which the envelope begins anew, with the rate as it was. */
const STALE_MS = 3000;
/** 2³² µs in ms. */
const WRAP_MS = 4_294_967.296;
/** A line this far ahead of the envelope is not of this life of the clock. */
const AHEAD_MS = 60;
/** Lines that are all this late for LATE_FOR_MS mean that the clock was set back. */
const LATE_MS = 300;
const LATE_FOR_MS = 3000;
/** The quickest of n lines is taken to have been late by no more than this over n. */
const FIRST_LINE_DOUBT_MS = 400;
/** Least doubt of a fitted rate: what a resonator drifts within the window. */
const LEAST_RATE_DOUBT = 0.0001;

/** One life of one board's clock: plain numbers and typed arrays, owned by the links. */
export interface DeviceClock {
  /** Delay that even the quickest line may have had, ms; answered pings lower it. */
  floorMs: number;
  /** Lines taken in since the envelope began. */
  lines: number;
  /** Host ms for a device ms. */
  rate: number;
  /** Greatest error of `rate`, as a share. */
  rateDoubt: number;
  /** Greatest deviation of this board's clock from nominal, as a share. */
  readonly rateLimit: number;
  /** Whether `rate` was fitted over this envelope. */
  fitted: boolean;
  /** Host time of device time zero, by the envelope. */
  offsetMs: number;
  /** First and newest device time of the envelope. */
  firstMs: number;
  newestMs: number;
  /** How far the quickest lines of each stretch lie apart, as doubt, ms. */
  spreadMs: number;
  /** Arrival since which every line was late, or -1. */
  lateSinceMs: number;
  /** Number of the stretch in each slot, -1 for none; device ms and host ms of its quickest line. */
  readonly stretch: Float64Array;
  readonly deviceMs: Float64Array;
  readonly hostMs: Float64Array;
}

/** A clock that has heard nothing. `before` is the board's clock in the life before: its rate is taken over. */
export function createClock(rateLimit: number, floorMs: number, before?: DeviceClock): DeviceClock {
  return {
    floorMs: Math.min(floorMs, before?.floorMs ?? floorMs),
    lines: 0,
    rate: before?.rate ?? 1,
    rateDoubt: before?.rateDoubt ?? rateLimit,
    rateLimit,
    fitted: false,
    offsetMs: 0,
    firstMs: 0,
    newestMs: 0,
    spreadMs: 0,
    lateSinceMs: -1,
    stretch: new Float64Array(KEPT).fill(-1),
    deviceMs: new Float64Array(KEPT),
    hostMs: new Float64Array(KEPT),
  };
}

/** Unwraps a 32-bit device time by what the clock should read at this arrival. Device ms. */
export function unwrapped(clock: DeviceClock, deviceUs: number, arrivalMs: AtMs): number {
  const low = deviceUs / 1000;
  if (clock.lines === 0) return low;
  const expected = (arrivalMs - clock.offsetMs) / clock.rate;
  return low + Math.round((expected - low) / WRAP_MS) * WRAP_MS;
}

/** Host time of a device time in ms. Never after the arrival of the line it came in, once that was heard. */
export function hostOf(clock: DeviceClock, deviceMs: number): AtMs {
  return clock.offsetMs + clock.rate * deviceMs;
}

/** Greatest error of `hostOf` for what happens now, ms. */
export function clockErrorOf(clock: DeviceClock): number {
  const rate = clock.fitted ? 0 : clock.rateDoubt * (clock.newestMs - clock.firstMs);
  return clock.floorMs + clock.spreadMs + rate + FIRST_LINE_DOUBT_MS / Math.max(1, clock.lines);
}

/** How long after its mapped time a line arrived, ms. */
export function latenessOf(clock: DeviceClock, deviceMs: number, arrivalMs: AtMs): number {
  return arrivalMs - hostOf(clock, deviceMs);
}

/** Whether a line says that it happened after it arrived, by more than the clock's doubt: not of this life. */
export function isAhead(clock: DeviceClock, deviceMs: number, arrivalMs: AtMs): boolean {
  if (clock.lines === 0) return false;
  const beyond = Math.max(0, deviceMs - clock.firstMs);
  const doubt = clock.fitted
    ? clock.rateDoubt * Math.max(0, deviceMs - clock.newestMs)
    : clock.rateDoubt * beyond;
  return latenessOf(clock, deviceMs, arrivalMs) < -(AHEAD_MS + FIRST_LINE_DOUBT_MS / clock.lines + 2 * doubt);
}

/** Whether every line for seconds has been late: the clock was set back, or its wire got slow for good. */
export function isSetBack(clock: DeviceClock, arrivalMs: AtMs): boolean {
  return clock.lateSinceMs >= 0 && arrivalMs - clock.lateSinceMs > LATE_FOR_MS;
}

/** Forgets the envelope and keeps the rate: for a jump of the clock, or after a silence. */
export function restartClock(clock: DeviceClock): void {
  clock.lines = 0;
  clock.fitted = false;
  clock.spreadMs = 0;
  clock.lateSinceMs = -1;
  clock.stretch.fill(-1);
}

/** Takes in one new line. Ask `isAhead` first. */
export function hearTime(clock: DeviceClock, deviceMs: number, arrivalMs: AtMs): void {
  if (clock.lines > 0 && deviceMs > clock.newestMs + STALE_MS) restartClock(clock);
  if (clock.lines === 0) {
    clock.firstMs = deviceMs;
    clock.newestMs = deviceMs;
    clock.offsetMs = arrivalMs - clock.rate * deviceMs;
  }
  clock.lines++;
  const late = latenessOf(clock, deviceMs, arrivalMs);
  if (late < 0) clock.offsetMs += late;
  if (late < LATE_MS) clock.lateSinceMs = -1;
  else if (clock.lateSinceMs < 0) clock.lateSinceMs = arrivalMs;

  const stretch = Math.floor(deviceMs / STRETCH_MS);
  const newest = Math.floor(clock.newestMs / STRETCH_MS);
  if (stretch <= newest - KEPT) return;
  if (stretch > newest) layEnvelope(clock);
  if (deviceMs > clock.newestMs) clock.newestMs = deviceMs;
  const slot = ((stretch % KEPT) + KEPT) % KEPT;
  if (clock.stretch[slot] !== stretch || restOf(clock, slot) > arrivalMs - clock.rate * deviceMs) {
    clock.stretch[slot] = stretch;
    clock.deviceMs[slot] = deviceMs;
    clock.hostMs[slot] = arrivalMs;
  }
}

/** An answer to a line sent at `sentMs` was made after that: a bound of the least delay from the other end. */
export function boundFloor(clock: DeviceClock, deviceMs: number, sentMs: AtMs): void {
  const bound = hostOf(clock, deviceMs) - sentMs;
  if (bound >= 0 && bound < clock.floorMs) clock.floorMs = bound;
}

function restOf(clock: DeviceClock, slot: number): number {
  return (clock.hostMs[slot] ?? 0) - clock.rate * (clock.deviceMs[slot] ?? 0);
}

/** Slot of the quickest kept line with a device time of `fromMs` to `toMs`, or -1. */
function quickest(clock: DeviceClock, fromMs: number, toMs: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let slot = 0; slot < KEPT; slot++) {
    const at = clock.deviceMs[slot] ?? 0;
    if (clock.stretch[slot] === -1 || at < fromMs || at > toMs) continue;
    const rest = restOf(clock, slot);
    if (rest < least) {
      least = rest;
      best = slot;
    }
  }
  return best;
}

/** Lays the line through the quickest lines of the first and the last third of the window, under all others. */
function layEnvelope(clock: DeviceClock): void {
  const newest = clock.newestMs;
  const first = Math.max(clock.firstMs, newest - KEPT * STRETCH_MS);
  // What the window has left behind counts no more.
  const oldest = Math.floor(newest / STRETCH_MS) - KEPT;
  for (let slot = 0; slot < KEPT; slot++) {
    if ((clock.stretch[slot] ?? -1) <= oldest) clock.stretch[slot] = -1;
  }
  const span = newest - first;
  if (span < FIT_FROM_MS) return;
  let end = -1;
  for (let round = 0; round < 3; round++) {
    const begin = quickest(clock, first, first + span / 3);
    end = quickest(clock, newest - span / 3, newest);
    if (begin < 0 || end < 0) return;
    const device = (clock.deviceMs[end] ?? 0) - (clock.deviceMs[begin] ?? 0);
    const host = (clock.hostMs[end] ?? 0) - (clock.hostMs[begin] ?? 0);
    const least = 1 - clock.rateLimit;
    const most = 1 + clock.rateLimit;
    clock.rate = Math.min(most, Math.max(least, host / device));
  }
  clock.offsetMs = restOf(clock, end);
  let sum = 0;
  let count = 0;
  let under = 0;
  for (let slot = 0; slot < KEPT; slot++) {
    if (clock.stretch[slot] === -1) continue;
    const above = restOf(clock, slot) - clock.offsetMs;
    if (above < under) under = above;
    sum += Math.abs(above);
    count++;
  }
  clock.offsetMs += under;
  clock.spreadMs = 4 * (sum / count) - 2 * under;
  clock.fitted = true;
  clock.rateDoubt = Math.min(clock.rateLimit, LEAST_RATE_DOUBT + (2 * clock.spreadMs) / span);
}

import * as z from 'zod';
import { cellId, FIXED_12, HEX_19, type Layout } from '../sensing/layout.ts';
import { problemAt, problemsOf } from './issues.ts';
import type { ConfigProblem } from './problem.ts';
import { SENSOR_LAYOUTS } from './shape.ts';
import { readYaml } from './source.ts';

/** Layouts that need no file. */
export const LAYOUTS: readonly Layout[] = [FIXED_12, HEX_19];

/** Most tiles that one board watches. */
const MOST_TILES = 12;

const schema = z.strictObject({
  name: z.string().min(1).max(64),
  pitchMm: z.number().min(20).max(200).default(45),
  sensors: z.enum(SENSOR_LAYOUTS).default('collector+offset'),
  edgeToCentreMm: z.number().min(50).max(2000).default(FIXED_12.edgeToCentreMm),
  gatesMm: z
    .strictObject({ near: z.number().min(-500).max(2000), far: z.number().min(-500).max(2000) })
    .default(FIXED_12.gatesMm),
  cells: z
    .array(
      z.strictObject({
        q: z.int().min(-20).max(20),
        r: z.int().min(-20).max(20),
        side: z.enum(['A', 'B']),
        tile: z
          .int()
          .min(0)
          .max(MOST_TILES - 1),
      }),
    )
    .min(1),
});

/** Reads a layout file. Cells stand in a list of `{ q, r, side, tile }`; never throws. */
export function readLayout(
  file: string,
  text: string,
):
  | { readonly ok: true; readonly layout: Layout }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] } {
  const read = readYaml(file, text);
  if (!read.ok) return read;
  const around = { file, source: read.source, schema: z.toJSONSchema(schema, { io: 'input' }) };
  const parsed = schema.safeParse(read.source.value);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error.issues, around) };
  const layout: Layout = {
    ...parsed.data,
    cells: parsed.data.cells.map((cell) => ({ ...cell, cell: cellId(cell.q, cell.r) })),
  };
  const problems = contradictions(layout).map(({ at, text, remedy }) =>
    problemAt(around, at, 'config/bad-layout', text, remedy),
  );
  return problems.length === 0 ? { ok: true, layout } : { ok: false, problems };
}

/** What in a layout cannot be true at once; empty for a good layout. `at` is the path to what is wrong. */
export function contradictions(
  layout: Layout,
): readonly { readonly at: readonly (string | number)[]; readonly text: string; readonly remedy: string }[] {
  const cells = new Map<string, number>();
  const tiles = new Map<string, number>();
  const found: { at: readonly (string | number)[]; text: string; remedy: string }[] = [];
  layout.cells.forEach(({ cell, side, tile }, n) => {
    const board = `tile ${tile} of side ${side}`;
    const sameCell = cells.get(cell);
    const sameTile = tiles.get(board);
    if (sameCell !== undefined) {
      found.push({
        at: ['cells', n],
        text: `is cell ${cell}, which entry ${sameCell} of the list is too.`,
        remedy: 'Each cell is watched by one tile.',
      });
    }
    if (sameTile !== undefined) {
      found.push({
        at: ['cells', n],
        text: `is ${board}, which entry ${sameTile} of the list is too.`,
        remedy: 'Number the tiles of each board from 0.',
      });
    }
    cells.set(cell, n);
    tiles.set(board, n);
  });
  for (const side of ['A', 'B']) {
    const numbers = layout.cells.filter((cell) => cell.side === side).map(({ tile }) => tile);
    const missing =
      numbers.length > 0 ? numbers.map((_, n) => n).find((n) => !numbers.includes(n)) : undefined;
    if (missing !== undefined) {
      found.push({
        at: ['cells'],
        text: `lacks tile ${missing} of side ${side}.`,
        remedy: 'Number the tiles of each board from 0 without gaps.',
      });
    }
  }
  if (layout.gatesMm.far <= layout.gatesMm.near) {
    found.push({
      at: ['gatesMm'],
      text: 'has the far gate before the near one.',
      remedy: 'Measure both from the own table edge.',
    });
  }
  return found;
}

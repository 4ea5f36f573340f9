import { describe, expect, it } from 'vitest';
import { parseConfig, problemLine } from '../host/config.ts';
import { parts, table } from './support/mat-config.ts';

describe('a layout file', () => {
  const withLayout = (layout: string): string[] => {
    const parsed = parseConfig(
      table('layout: my.yaml\nlinks: { a: { transport: mqtt } }'),
      '/etc/mat/table.yaml',
      parts,
      () => layout,
    );
    return parsed.ok ? [] : parsed.problems.map(problemLine);
  };
  const cells = (...entries: string[]): string =>
    `name: my\ncells:\n${entries.map((entry) => `  - { ${entry} }\n`).join('')}`;

  it.each([
    [
      'a cell twice',
      cells('q: 0, r: 0, side: A, tile: 0', 'q: 0, r: 0, side: B, tile: 0'),
      /my\.yaml:4: cells\.1: is cell q0r0/,
    ],
    [
      'a tile twice on one board',
      cells('q: 0, r: 0, side: A, tile: 0', 'q: 1, r: 0, side: A, tile: 0'),
      /my\.yaml:4: cells\.1: is tile 0 of side A/,
    ],
    [
      'a gap in the tiles',
      cells('q: 0, r: 0, side: A, tile: 0', 'q: 1, r: 0, side: A, tile: 2'),
      /lacks tile 1 of side A/,
    ],
    [
      'an unknown side',
      cells('q: 0, r: 0, side: C, tile: 0'),
      /my\.yaml:3: cells\.0\.side: must be one of: A, B/,
    ],
    [
      'more tiles than a board has',
      cells('q: 0, r: 0, side: A, tile: 12'),
      /cells\.0\.tile: must be at most 11/,
    ],
    ['half a cell', cells('q: 0.5, r: 0, side: A, tile: 0'), /cells\.0\.q/],
    ['no cells', 'name: my\ncells: []\n', /cells/],
    [
      'gates the wrong way round',
      `${cells('q: 0, r: 0, side: A, tile: 0')}gatesMm: { near: 100, far: 0 }\n`,
      /gatesMm: has the far gate before/,
    ],
    [
      'an unknown key',
      `${cells('q: 0, r: 0, side: A, tile: 0')}pitch: 45\n`,
      /pitch: has no meaning here\. Did you mean "pitchMm"|pitch: has no meaning here/,
    ],
    ['nothing', '', /my\.yaml:1: The file says nothing/],
  ])('with %s', (_what, text, full) => {
    const problems = withLayout(text);
    expect(problems.join('\n')).toMatch(full);
  });

  it('may share a tile number between two boards', () => {
    expect(withLayout(cells('q: 0, r: 0, side: A, tile: 0', 'q: 1, r: 0, side: B, tile: 0'))).toEqual([]);
  });
});

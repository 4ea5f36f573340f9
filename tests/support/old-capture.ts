/** A folder with a configuration whose only link plays an old capture: a table that starts at once and hears nothing. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoOptions } from '../../host/game/bakugan/demo.ts';
import { FIXED_12 } from '../../host/sensing/layout.ts';

/** The folder (whoever asks for it removes it) and its configuration; the journal comes to lie in its `data/t1`. */
export function oldCaptureFolder(name: string): { readonly folder: string; readonly config: string } {
  const folder = mkdtempSync(join(tmpdir(), `bakucore-${name}-`));
  const capture = join(folder, 'lines.jsonl');
  writeFileSync(capture, '{"atMs":1,"via":"x","line":"old"}\n');
  const config = join(folder, 'table.yaml');
  const links = { old: { transport: 'replay', path: capture } };
  const tables = { t1: { rulesetOptions: demoOptions(FIXED_12.cells, 1), links } };
  writeFileSync(config, JSON.stringify({ http: { port: 0 }, dataDir: 'data', tables }));
  return { folder, config };
}

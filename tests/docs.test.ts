import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../host/config.ts';
import { PARTS } from '../host/parts.ts';
import { HOST_VERSION } from '../host/version.ts';

const root = join(import.meta.dirname, '..');
const DOCS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'wiring.md',
  'firmware-protocol/README.md',
  'firmware-protocol/arduino/README.md',
  'sim/README.md',
  'host/game/scenarios/README.md',
  ...readdirSync(join(root, 'host/guides'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `host/guides/${name}`),
];
const read = (doc: string): string => readFileSync(join(root, doc), 'utf8');
const packageJson = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Fenced blocks of one language. */
function blocks(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    (m) => m[1] ?? '',
  );
}

/** Commands that a document tells people to type: shell blocks and inline code. */
function commands(text: string): readonly string[] {
  const typed = blocks(text, 'sh').flatMap((block) => block.split('\n'));
  const inline = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map((m) => m[1] ?? '');
  return [...typed, ...inline]
    .map((one) => one.trim())
    .filter((one) => /^(npm|bakucore|node dist)\b/.test(one));
}

const helps = new Map<string, string>();
/** Help of a command of the built program, or of a command inside one. */
function helpOf(command: string): string {
  const known = helps.get(command);
  if (known !== undefined) return known;
  const args = [join(root, 'dist/bin/bakucore.js'), ...command.split(' ').filter(Boolean), '--help'];
  const text = execFileSync(process.execPath, args).toString();
  helps.set(command, text);
  return text;
}

describe('the documents', () => {
  it.each(DOCS)('%s names only commands and options that are there', (doc) => {
    const wrong: string[] = [];
    for (const line of commands(read(doc))) {
      const words = line.split(/\s+/);
      if (words[0] === 'npm') {
        const script = words[1] === 'run' ? words[2] : words[1];
        if (
          script !== undefined &&
          packageJson.scripts[script] === undefined &&
          !['ci', 'link'].includes(script)
        )
          wrong.push(line);
        continue;
      }
      const [name = '', ...rest] = words.slice(words[0] === 'node' ? 2 : 1);
      if (name === '' || name.startsWith('-')) continue;
      const known = [...helpOf('').matchAll(/^ {2}([a-z]+)/gm)].map((m) => m[1]);
      if (!known.includes(name)) {
        wrong.push(`${line}: no command ${name}`);
        continue;
      }
      for (const option of rest.filter((word) => word.startsWith('--'))) {
        // Of a command with commands of its own, the word after it names one.
        const inner = new RegExp(`^Commands:[^]*^  ${rest[0]} `, 'm').test(helpOf(name))
          ? `${name} ${rest[0]}`
          : name;
        if (!helpOf(inner).includes(option)) wrong.push(`${line}: no option ${option}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each(DOCS)('%s links to files that are there', (doc) => {
    const targets = [...read(doc).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((m) => m[1] ?? '');
    const missing = targets.filter(
      (target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(doc), target)),
    );
    expect(missing).toEqual([]);
  });

  it('show a table file that is a legal config', () => {
    const [yaml = ''] = blocks(read('README.md'), 'yaml');
    const parsed = parseConfig(yaml, 'README.md', PARTS);
    expect(parsed.ok ? [] : parsed.problems).toEqual([]);
  });

  it('name every command of the program in the README', () => {
    const readme = read('README.md');
    const names = [...helpOf('').matchAll(/^ {2}([a-z]+)/gm)].map((m) => m[1] ?? '');
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => name !== 'help' && !readme.includes(`| \`bakucore ${name}\``))).toEqual([]);
  });

  it('give a reason for every dependency', () => {
    const readme = read('README.md');
    const table = readme.slice(readme.indexOf('## What it stands on'));
    const names = [...Object.keys(packageJson.dependencies), ...Object.keys(packageJson.devDependencies)];
    expect(names.filter((name) => !name.startsWith('@types/') && !table.includes(name))).toEqual([]);
  });

  it('have every dependency pinned to one version', () => {
    const all = { ...packageJson.dependencies, ...packageJson.devDependencies };
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('agree on the version', () => {
    expect(HOST_VERSION).toBe(packageJson.version);
    expect(read('CHANGELOG.md')).toContain(`## ${packageJson.version}`);
  });
});

describe('the program', () => {
  it('says what is wrong with its usage and exits with 2', () => {
    const run = spawnSync(process.execPath, [join(root, 'dist/bin/bakucore.js'), 'strat']);
    expect(run.status).toBe(2);
    expect(run.stderr.toString()).toMatch(/unknown command 'strat'/);
  });

  it('names the file and the remedy when a config is not there, and exits with 1', () => {
    const run = spawnSync(process.execPath, [
      join(root, 'dist/bin/bakucore.js'),
      'start',
      '--config',
      'none.yaml',
    ]);
    expect(run.status).toBe(1);
    expect(run.stderr.toString()).toMatch(/none\.yaml.*Check the path/s);
  });
});

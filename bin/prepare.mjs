// Makes a fresh clone ready: installs what package-lock.json names, and builds what has changed.
// Plain JavaScript since it runs before anything is installed.
//   node bin/prepare.mjs install | build
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cache = join(root, '.cache');
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old: this needs Node 20.19 or newer. See https://nodejs.org/.`);
}

installOnce();
if (process.argv[2] === 'build') buildOnce();

function installOnce() {
  const wanted = hashOf(['package-lock.json', 'package.json'].map((name) => join(root, name)));
  if (existsSync(join(root, 'node_modules')) && stampOf('installed') === wanted) return;
  if (existsSync(join(root, 'node_modules/.package-lock.json')) && stampOf('installed') === undefined) {
    // Installed by hand before the first run: believe it when it holds what the lock file names.
    if (run('npm', ['ls', '--all', '--silent'], true)) return stamp('installed', wanted);
  }
  say('Installing packages (once) …');
  if (!run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])) {
    fail('npm ci failed: see its words above. Check the network, then try again.');
  }
  stamp('installed', wanted);
}

function buildOnce() {
  const sources = [
    ...filesUnder('firmware-protocol'),
    ...filesUnder('host'),
    ...filesUnder('sim'),
    ...filesUnder('bin'),
    join(root, 'tsconfig.base.json'),
    join(root, 'tsconfig.build.json'),
    join(root, 'package-lock.json'),
  ];
  const wanted = hashOf(sources);
  if (existsSync(join(root, 'dist/bin/bakucore.js')) && stampOf('built') === wanted) return;
  say('Building (when sources have changed) …');
  const bin = (name) => join(root, 'node_modules/.bin', name);
  if (!run(bin('tsc'), ['-p', 'tsconfig.build.json'])) fail('The TypeScript build failed: see above.');
  if (!run(bin('vite'), ['build', '-c', 'host/pages/vite.config.ts', '--logLevel', 'error'])) {
    fail('The page build failed: see above.');
  }
  if (!run(bin('vite'), ['build', '-c', 'host/audit/page/vite.config.ts', '--logLevel', 'error'])) {
    fail('The build of the verifying page failed: see above.');
  }
  stamp('built', wanted);
}

function filesUnder(folder) {
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && /\.(ts|mjs|html|css|json|hex|svg)$/.test(entry.name)) {
      found.push(join(entry.parentPath ?? entry.path, entry.name));
    }
  }
  return found.sort();
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${file.slice(root.length)}\0${statSync(file).size}\0`);
    hash.update(readFileSync(file));
  }
  return hash.digest('hex');
}

function stampOf(name) {
  const file = join(cache, `${name}.sha256`);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function stamp(name, value) {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, `${name}.sha256`), value);
}

function run(command, args, quiet = false) {
  const shell = process.platform === 'win32';
  const done = spawnSync(command, args, { cwd: root, stdio: quiet ? 'ignore' : 'inherit', shell });
  return done.status === 0;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

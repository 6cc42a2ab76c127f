import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

/** Installs the packages of the bench if they are missing or out of date, then runs it. */

const folder = import.meta.dirname;
const wanted = path.join(folder, 'package-lock.json');
const installed = path.join(folder, 'node_modules', '.package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) install();
await import('./main.ts');

function install(): void {
  console.error('installing the packages of the bench; better-sqlite3 may have to be compiled, which takes a minute');
  const { status } = spawnSync('npm', ['ci', '--prefix', folder], {
    stdio: 'inherit',
    env: { ...process.env, ...compilingHere() },
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** If Node's own headers are installed, better-sqlite3 is compiled with them, and only packages are downloaded. */
function compilingHere(): Readonly<Record<string, string>> {
  const prefix = path.dirname(path.dirname(process.execPath));
  if (!existsSync(path.join(prefix, 'include', 'node', 'node.h'))) return {};
  return { npm_config_build_from_source: 'true', npm_config_nodedir: prefix };
}

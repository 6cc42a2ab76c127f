import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { affectedTests } from './support/affected.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The lines that git prints; none if it fails. */
function git(...args: readonly string[]): string[] {
  try {
    const out = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return out.split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Where the branch left main; the commit before if this is main and all is committed. */
function base(): string {
  const [head] = git('rev-parse', 'HEAD');
  const left = ['main', 'origin/main'].flatMap((name) => git('merge-base', 'HEAD', name))[0];
  if (left !== undefined && left !== head) return left;
  return git('status', '--porcelain').length > 0 ? 'HEAD' : 'HEAD^';
}

const changed = [...git('diff', '--name-only', base()), ...git('ls-files', '--others', '--exclude-standard')];
const worker = affectedTests(changed).filter((path) => existsSync(new URL(path, new URL('..', import.meta.url))));
console.log(`Unit tests, and of the Worker's: ${worker.join(', ')}`);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--project', 'worker', 'test/unit', ...worker],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;

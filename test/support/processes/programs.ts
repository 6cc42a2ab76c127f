import { spawnSync } from 'node:child_process';

/** Whether this machine has a program, which must understand `--version`. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}

import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Context } from './context.ts';

/** The file from which wrangler takes a Worker's settings in development. */
export const SETTINGS_FILE = '.dev.vars';

export function settingsFile({ directory }: Pick<Context, 'directory'>): string {
  return join(directory, SETTINGS_FILE);
}

/** A setting of a file; `undefined` where it is not set, or empty, or there is no file. */
export async function readSetting(file: string, name: string): Promise<string | undefined> {
  return parseEnv(await readIfThere(file))[name] || undefined;
}

/** Sets a setting, without a single quote in it, in a file that its owner alone can read; its other lines stay. */
export async function writeSetting(file: string, name: string, value: string): Promise<void> {
  const setting = new RegExp(`^[^\\S\\n]*(export\\s+)?${name}\\s*=[^\\S\\n]*('[^']*'|"[^"]*"|\`[^\`]*\`)?.*\\n?`, 'gm');
  const rest = (await readIfThere(file)).replaceAll(setting, '');
  const end = rest === '' || rest.endsWith('\n') ? '' : '\n';
  const written = /^[\w.-]+$/.test(value) ? value : `'${value}'`;
  await replaceFile(file, `${rest}${end}${name}=${written}\n`);
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** In one step, so that there is always the old file or the new one. */
async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, file);
}

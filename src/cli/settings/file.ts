import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Context } from '../command/context.ts';

/** The file that wrangler reads a Worker's settings from in development. */
export const SETTINGS_FILE = '.dev.vars';

export function settingsFile({ directory }: Pick<Context, 'directory'>): string {
  return join(directory, SETTINGS_FILE);
}

/** A setting in a file; `undefined` if it is missing or empty, or if the file does not exist. */
export async function readSetting(file: string, name: string): Promise<string | undefined> {
  return parseEnv(await readIfExists(file))[name] || undefined;
}

/**
 * Sets a setting in a file that only its owner can read. Its other lines remain unchanged.
 *
 * @param value must not contain a single quote
 */
export async function writeSetting(file: string, name: string, value: string): Promise<void> {
  const setting = new RegExp(`^[^\\S\\n]*(export\\s+)?${name}\\s*=[^\\S\\n]*('[^']*'|"[^"]*"|\`[^\`]*\`)?.*\\n?`, 'gm');
  const others = (await readIfExists(file)).replaceAll(setting, '');
  const lineEnd = others === '' || others.endsWith('\n') ? '' : '\n';
  const quoted = /^[\w.-]+$/.test(value) ? value : `'${value}'`;
  await replaceFile(file, `${others}${lineEnd}${name}=${quoted}\n`);
}

/** The text of a file; nothing if it does not exist. */
export async function readIfExists(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, file);
}

import { randomUUID } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { newSigningKey } from '../oauth/keys.ts';

/**
 * Adds to a file of settings, as wrangler reads them in development, those that the Worker needs there and that are
 * missing: a key to sign tokens with, and the demo agency's pictures. Its other lines stay; only its owner can read it.
 */
export async function addDevelopmentSettings(file: string): Promise<void> {
  const before = await readIfThere(file);
  const missing: string[] = [];
  if (!names(before, 'SIGNING_KEYS'))
    missing.push(`SIGNING_KEYS='${JSON.stringify({ keys: [await newSigningKey()] })}'`);
  if (!names(before, 'DEMO')) missing.push('DEMO=true');
  if (missing.length > 0) await replaceFile(file, [...lines(before), ...missing].map((line) => `${line}\n`).join(''));
  await chmod(file, 0o600);
}

function names(settings: string, name: string): boolean {
  return new RegExp(`^\\s*(export\\s+)?${name}\\s*=`, 'm').test(settings);
}

function lines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** In one step, so that a start that is killed leaves the old file or the new one. */
async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, content, { mode: 0o600 });
  await rename(draft, file);
}

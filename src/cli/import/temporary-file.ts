import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../command/ending.ts';

/** A file that is deleted when the process ends. */
interface TemporaryFile {
  readonly path: string;
  remove(): void;
}

export async function temporaryFile(): Promise<TemporaryFile> {
  const directory = await mkdtemp(join(tmpdir(), 'lindero-import-'));
  return { path: join(directory, 'file'), remove: atExit(() => rmSync(directory, { recursive: true, force: true })) };
}

import { hash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Validators } from '../../api/imports/fetch-file.ts';
import type { Context, Target } from '../command/command.ts';

/**
 * The validators of imported files: in the directory of the database's state, or for a deployed one in the project's directory.
 * Each is stored under a digest, because a URL may contain credentials.
 *
 * @param from what the result of an import depends on besides the file: if any of it differs, the file is imported again
 */
export function validatorsOf({ remote, persistTo }: Target, { directory }: Context, from: readonly unknown[]) {
  const state = remote ? join(directory, '.wrangler', 'remote') : resolve(directory, persistTo);
  const path = join(state, 'lindero-imports.json');
  const key = hash('sha256', JSON.stringify(from), 'hex');
  const readAll = async (): Promise<Record<string, Validators>> => {
    // Without the file, or with one that is not JSON, the next import is not conditional.
    return readFile(path, 'utf8')
      .then(JSON.parse)
      .catch(() => ({}));
  };
  return {
    read: async (): Promise<Validators | undefined> => (await readAll())[key],
    async store(validators: Validators): Promise<void> {
      const all = { ...(await readAll()), [key]: validators };
      await mkdir(dirname(path), { recursive: true });
      // Renamed into place, so that no incomplete file is read.
      await writeFile(`${path}.new`, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
      await rename(`${path}.new`, path);
    },
  };
}

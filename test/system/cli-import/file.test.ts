import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';
import { operator, useOperator } from '../operator.ts';
import { importError, load, openAgency } from './agency.ts';

useOperator();

describe('import of a file', () => {
  const feed = kyeroFeed([kyeroRecord('a', { town: 'Peñíscola' }), kyeroRecord('b')]);

  test('that is truncated: exit code 1, and nothing is changed', async () => {
    const agency = await openAgency();
    await load(agency, kyeroFeed([kyeroRecord('there')]));
    const options = ['--replace', '--max-withdrawn', '100'];
    expect(await importError(agency, feed.slice(0, -60), options)).toMatch(
      /^bad_file: .* not well-formed XML/,
    );
  });

  test.each([
    ['that does not exist', '/nowhere.xml', 'no such file or directory'],
    ['that is a directory', '/', 'is not a regular file'],
  ])('%s: exit code 1', async (_, file, why) => {
    const { exit, err } = await operator.run([
      'import',
      file,
      '--account',
      (await openAgency()).code,
    ]);
    expect(err).toContain(why);
    expect(exit).toBe(1);
  });

  test('leaves no temporary files', async () => {
    const agency = await openAgency();
    const temporary = await mkdtemp(join(tmpdir(), 'lindero-test-'));
    vi.stubEnv('TMPDIR', temporary);
    try {
      await load(agency, feed);
      await importError(agency, feed.slice(0, -60));
      expect(await readdir(temporary)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      await rm(temporary, { recursive: true });
    }
  });
});

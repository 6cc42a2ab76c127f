import { describe, expect, test } from 'vitest';
import { property, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { readSource } from '../../support/documents/import-source.ts';

const DOCUMENTS = [...VOCABULARY, ...['a', 'b', 'c'].map((id) => property(id))];
const EXPORT: readonly object[] = [
  { kind: 'portfolio' },
  ...DOCUMENTS,
  { kind: 'end', documents: DOCUMENTS.length },
];

const read = (documents: readonly object[]) =>
  readSource(documents.map((one) => `${JSON.stringify(one)}\n`).join(''));

describe('an export', () => {
  test.each<[string, readonly object[], string]>([
    ['without its last line', EXPORT.slice(0, -1), 'lacks_end'],
    ['without its last three lines', EXPORT.slice(0, -3), 'lacks_end'],
    ['without its first three lines', EXPORT.slice(3), 'lacks_beginning'],
    ['without a line in the middle', EXPORT.toSpliced(4, 1), 'lacks_documents'],
    [
      'without its end, followed by another',
      [...EXPORT.slice(0, -1), ...EXPORT],
      'second_portfolio',
    ],
  ])('%s: bad_file, since it is truncated', async (_, documents, how) => {
    await expect(read(documents)).rejects.toMatchObject({
      code: 'bad_file',
      reason: { code: how },
    });
  });

  test('followed by that of an account without anything: all of it is read', async () => {
    const empty = [{ kind: 'portfolio' }, { kind: 'end', documents: 0 }];
    const { documents, bad } = await read([...empty, ...EXPORT]);
    expect([documents.length, bad]).toEqual([DOCUMENTS.length, []]);
  });
});

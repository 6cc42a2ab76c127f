import { expect, test } from 'vitest';
import { deserialized, sameDocument, serialized, type ValidRecord } from '../../../src/import/record.ts';
import { type DevelopmentDocument, parseDocument } from '../../../src/portfolio/documents.ts';

function development(name: string, more: Partial<ValidRecord> = {}): ValidRecord {
  return { line: 3, document: parseDocument({ kind: 'development', id: 'd', name }), ...more };
}

test('a serialized record: its line, its key, and the record as it was', () => {
  const record = development('Sol Azul', { onlyIfMissing: true });
  const { line, key, bytes } = serialized(record);
  expect({ line, key }).toEqual({ line: 3, key: { kind: 'development', key: '["development","d"]' } });
  expect({ line, ...deserialized(bytes) }).toEqual(record);
});

test('the same text, once cut from one with other characters: the same document', () => {
  const cut = 'Жardines de Nueva Andalucía'.slice(1);
  const [one, other] = [development('ardines de Nueva Andalucía'), development('x')];
  (other.document as { -readonly [Key in keyof DevelopmentDocument]: DevelopmentDocument[Key] }).name = cut;
  expect(sameDocument(serialized(one).bytes, serialized(other).bytes)).toBe(true);
  expect(sameDocument(serialized(one).bytes, serialized(development('Mar Verde')).bytes)).toBe(false);
});

test('records that differ only in what they leave open: the same document', () => {
  expect(sameDocument(serialized(development('A')).bytes, serialized(development('A', { limited: true })).bytes)).toBe(
    true,
  );
});

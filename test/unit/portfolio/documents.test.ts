import { expect, test } from 'vitest';
import * as z from 'zod';
import { message } from '../../../src/messages/messages.ts';
import { DocumentError, parseDocument, propertySchema } from '../../../src/properties/documents.ts';
import { RESTRICTIONS } from '../../../src/properties/restrictions.ts';
import { property } from '../../support/accounts/portfolio.ts';

function unitNamed(name: string): unknown {
  return { kind: 'unit', development: 'd', name, status: 1, price: 1 };
}

test('a document with missing, mistyped and unknown fields: an error that names each in plain words', () => {
  expect(() => parseDocument({ kind: 'unit', development: 'd', name: 5, stauts: 1 })).toThrow(
    new DocumentError([
      { field: 'stauts', message: message('unknown_field') },
      { field: 'name', message: message('not_string') },
      { field: 'status', message: message('missing') },
      { field: 'price', message: message('missing') },
    ]),
  );
  expect(() => parseDocument({ kind: 'house' })).toThrow(
    /^kind: must be one of: type, .*, property$/,
  );
});

test('a text that SQLite treats as empty: an error that names the field', () => {
  const category = { kind: 'category', code: '\0x', labels: { uk: 'Views' } };
  expect(() => parseDocument(category)).toThrow('code: must not begin with the character U+0000');
  expect(parseDocument(unitNamed('\0x'))).toMatchObject({ name: '\0x' });
});

test('the length limit of a unit name applies to its stored form, Unicode NFC', () => {
  expect(() => parseDocument(unitNamed('\u0958'.repeat(101)))).toThrow(
    'name: must have at most 200 characters',
  );
  expect(parseDocument(unitNamed('e\u0301'.repeat(200)))).toMatchObject({ name: 'é'.repeat(200) });
});

test.each(['\u0000', '\u001f', '\ufffd', '\ufffe', '\uffff'])(
  'an identifier with %j: an error',
  (character) => {
    expect(() => parseDocument({ ...property('p'), id: `a${character}b` })).toThrow(
      'id: must not contain control characters',
    );
  },
);

test.each(['.', '..'])(
  'a development with identifier %s: an error, since no URL path can contain it',
  (id) => {
    expect(() => parseDocument({ kind: 'development', id, name: 'D' })).toThrow(
      'id: must not be . or ..',
    );
  },
);

test.each([
  ['a code that is too long', ['S'.repeat(17)], 'must have at most 16 characters'],
  ['a lone surrogate', [['\ud800']], 'must not contain lone surrogates'],
  ['a control character', [['N\u0085']], 'must not contain control characters'],
  [
    'too many codes in all',
    Array(2).fill(Array(33).fill('S')),
    'must contain at most 64 codes in total',
  ],
])('directions of a unit with %s: the same error as for an update', (_, directions, message) => {
  const unit = { kind: 'unit', development: 'd', name: 'A', status: 1, price: 1, directions };
  expect(() => parseDocument(unit)).toThrow(message);
});

test.each([
  ['characters outside the Basic Multilingual Plane count once', { ref: '🏡'.repeat(255) }],
  ['letters with accents have two bytes each', { pictures: ['é'.repeat(512)] }],
])('texts of maximum length, %s: valid', (_, fields) => {
  expect(parseDocument({ ...property('p'), ...fields })).toMatchObject(fields);
});

test.each([
  ['ref: must have 1 to 255 characters', { ref: '🏡'.repeat(256) }],
  ['pictures.0: must have 1 to 1024 bytes in UTF-8', { pictures: [`${'é'.repeat(512)}e`] }],
  [
    'ref: must not contain lone surrogates; ref: must have 1 to 255 characters',
    { ref: '\ud800'.repeat(256) },
  ],
  ['pictures.0: must have 1 to 1024 bytes in UTF-8', { pictures: [''] }],
])('a text that is too long or too short: %s', (message, fields) => {
  expect(() => parseDocument({ ...property('p'), ...fields })).toThrow(message);
});

test.each([
  ['channels', 1_000, ['coast']],
  ['restrictions', 64, ['not_abroad']],
])(
  '%s: up to %i entries, each of which counts once; more are a single error',
  (field, most, [name]) => {
    const withEntries = (count: number, entry = name) => ({
      ...property('p'),
      [field]: Array(count).fill(entry),
    });
    expect(parseDocument(withEntries(most))).toMatchObject({ [field]: [name] });
    const problem = { field, message: message('too_many_entries', { most }) };
    expect(() => parseDocument(withEntries(most + 1, 'NO NAME'))).toThrow(
      new DocumentError([problem]),
    );
  },
);

test('the JSON Schema of a property: how many channels and restrictions it has at most, and which restrictions there are', () => {
  const { properties } = z.toJSONSchema(propertySchema, { io: 'input' });
  expect(properties).toMatchObject({
    channels: {
      anyOf: [{ type: 'array', items: { type: 'string' }, maxItems: 1_000 }, { type: 'null' }],
    },
    restrictions: { type: 'array', items: { type: 'string', enum: RESTRICTIONS }, maxItems: 64 },
  });
});

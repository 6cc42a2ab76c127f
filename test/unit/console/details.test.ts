import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detailIn, detailSentence } from '../../../src/console/texts/texts.ts';
import { FORMATS } from '../../../src/feed/formats/formats.ts';
import { notAllowed } from '../../../src/feed/formats/parameters.ts';

test.each([
  ['must have at most 50 characters', 'Debe tener 50 caracteres como máximo.'],
  ['must be one of: A, B', 'Debe ser uno de: A, B.'],
  ['there is no type villa', 'No existe el tipo villa.'],
  ['something that nobody has translated', 'No se admite.'],
])('%s in Spanish: %s', (detail, expected) => {
  expect(detailSentence('es', detail)).toBe(expected);
  expect(detailIn('en', detail)).toBe(detail);
});

test('a strict import: each problem of a record in Spanish, and what became of the file', () => {
  const detail = [
    'line 2, property K 1: price: "345.000,00": thousands separators removed',
    'line 3: id: is missing',
    'line 4: something that nobody has translated',
    '3 invalid records, so nothing was changed.',
  ].join('\n');
  expect(detailIn('es', detail, '').split('\n')).toEqual([
    'línea 2, inmueble K 1: price: "345.000,00": sin separadores de millares',
    'línea 3: id: falta',
    'línea 4: no se admite',
    '3 registros no válidos, así que no se ha cambiado nada.',
  ]);
});

test('a value that no parameter allows: why not, in Spanish', () => {
  for (const { type } of FORMATS.flatMap(({ feedParameters }) => feedParameters)) {
    const { reason } = notAllowed('X', '?', type.allowed.words);
    const isText = type.allowed.kind === 'text';
    expect(detailIn('es', reason)).toMatch(
      isText ? /^es «\?», lo que no se admite$/ : /^es «\?»; se admite: (de \d|\w+(, |$))/,
    );
  }
});

test('every reason why a webhook could not be called in Spanish', () => {
  const source = readFileSync('src/changes/webhooks/call.ts', 'utf8');
  const reasons = [...source.matchAll(/['`](The(?:re)? [^'`]*\.)['`]/g)].map(([, text]) =>
    text!.replace(/\$\{.*?\}/, '7'),
  );
  expect(reasons).toHaveLength(3);
  expect(reasons.filter((text) => detailIn('es', text, '') === '')).toEqual([]);
});

test('every message of a failed import in Spanish', () => {
  const files = ['src/imports', 'src/http', 'src/api'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const sources = files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(name, 'utf8'));
  const errors = /new (?:ImportError|ForbiddenAddress)\([^`']*(?:'\w+',\s*)?(['`])(.*?)\1/gs;
  const messages = sources.flatMap((source) =>
    [...source.matchAll(errors)].map(([, , text]) => text!),
  );
  const sentences = messages.filter(
    (text) => /^The (?!table of names)/.test(text) || text.startsWith('Line '),
  );
  expect(sentences.length).toBeGreaterThan(15);
  const filled = sentences.map((text) => text.replaceAll(/\$\{.*?\}(?=\W|$)/g, '7'));
  expect(filled.filter((text) => detailIn('es', text, '') === '')).toEqual([]);
});

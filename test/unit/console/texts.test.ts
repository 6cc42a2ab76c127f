import { expect, test } from 'vitest';
import EN from '../../../src/console/texts/en.json' with { type: 'json' };
import ES from '../../../src/console/texts/es.json' with { type: 'json' };
import { asSentence, catalogue, inWords, TEXTS } from '../../../src/console/texts/texts.ts';
import { MESSAGES, message } from '../../../src/messages/messages.ts';

/** The paths of all texts, such as `pages.other`, each with its placeholders; a number can be a word in a singular. */
function outline(
  texts: object,
  path: readonly string[] = [],
): [path: string, placeholders: string][] {
  return Object.entries(texts).flatMap(([key, text]) => {
    if (typeof text !== 'string') return outline(text, [...path, key]);
    const placeholders = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();
    const needed =
      key === 'one' || key === 'zero'
        ? placeholders.filter((name) => name !== 'count')
        : placeholders;
    return [[[...path, key].join('.'), needed.join()]];
  });
}

test('the texts of both languages have the same keys and placeholders', () => {
  const { messages: _, ...shared } = ES;
  expect(outline(shared)).toEqual(outline(EN));
});

test('the messages of both languages have the same keys, and no placeholder that is never filled', () => {
  const english = new Map(outline(MESSAGES));
  const spanish = outline(ES.messages);
  expect(spanish.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
  const unfilled = spanish.filter(([path, names]) => {
    const filled = new Set(english.get(path)!.split(','));
    return names.split(',').some((name) => name !== '' && !filled.has(name));
  });
  expect(unfilled).toEqual([]);
});

test('a message within others, and a list of them: in the words and the numbers of each language', () => {
  const problem = message('of_value', { value: '345.000,00', problem: message('decimal_comma') });
  const line = message('at_property', { line: 12_345, id: 'K 1', problem });
  const failed = message('invalid_records', { records: [line, line], count: 1 });
  const english = 'line 12,345, property K 1: "345.000,00": decimal comma';
  const spanish = 'línea 12.345, inmueble K 1: «345.000,00»: coma decimal';
  expect(inWords('en', failed).split('\n').slice(0, 2)).toEqual([english, english]);
  expect(inWords('es', failed).split('\n')).toEqual([
    spanish,
    spanish,
    '1 registro no válido, así que no se ha cambiado nada.',
  ]);
});

test('a message about a field as a sentence; a code that only another version knows as it is', () => {
  expect(asSentence('es', message('too_long', { most: 50 }))).toBe(
    'Debe tener 50 caracteres como máximo.',
  );
  expect(asSentence('es', message('not_one_of', { allowed: ['A', 'B'] }))).toBe(
    'Debe ser uno de: A, B.',
  );
  expect(inWords('es', { code: 'from_the_future' as never })).toBe('from_the_future');
});

test('only texts with plural forms have placeholders', () => {
  expect(
    outline(EN).filter(([path, names]) => names !== '' && !/\.(zero|one|other)$/.test(path)),
  ).toEqual([]);
});

const { en, es } = catalogue(
  {
    units: { zero: '{name}: no unit', one: '{name}: 1 unit', other: '{name}: {count} units' },
    to: { other: 'To {name}' },
  },
  {
    units: { zero: '{name}: nada', one: '{name}: 1 unidad', other: '{name}: {count} unidades' },
    to: { other: 'A {name}' },
  },
);

test.each([
  [en.units({ name: 'Vega', count: 0 }), 'Vega: no unit'],
  [en.units({ name: 'Vega', count: 1 }), 'Vega: 1 unit'],
  [en.units({ name: 'Vega', count: 1_234 }), 'Vega: 1,234 units'],
  [es.units({ name: 'Vega', count: 1 }), 'Vega: 1 unidad'],
  [es.units({ name: 'Vega', count: 1_234 }), 'Vega: 1.234 unidades'],
  [es.units({ name: 'Vega', count: 1_000_000 }), 'Vega: 1.000.000 unidades'],
  [en.to({ name: '{count}' }), 'To {count}'],
])('a text with its placeholders filled: %s', (text, expected) => {
  expect(text).toBe(expected);
});

test.each([1, 2])('a home with as many bedrooms as bathrooms: %i', (count) => {
  const [english, spanish] = [TEXTS.en, TEXTS.es].map(({ properties }) =>
    properties.short({ beds: count, count }),
  );
  expect(english).toBe(`${count} bd · ${count} ba`);
  expect(spanish).toBe(count === 1 ? '1 dorm. · 1 baño' : '2 dorm. · 2 baños');
});

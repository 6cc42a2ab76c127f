import { expect, test } from 'vitest';
import EN from '../../../src/console/texts/en.json' with { type: 'json' };
import ES from '../../../src/console/texts/es.json' with { type: 'json' };
import { catalogue, TEXTS } from '../../../src/console/texts/texts.ts';
import { INTERPRETATIONS } from '../../../src/imports/values/interpretation.ts';

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
  expect(outline(ES)).toEqual(outline(EN));
});

test('every kind of interpretation in an import has a text', () => {
  expect(Object.keys(EN.imports.meanings).sort()).toEqual(Object.keys(INTERPRETATIONS).sort());
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

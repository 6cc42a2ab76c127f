import { describe, expect, test } from 'vitest';
import { PORTAL_LIST } from '../../../src/console/portals/catalogue.ts';
import EN from '../../../src/console/texts/en.json' with { type: 'json' };
import { LANGUAGE_CODES, LANGUAGES } from '../../../src/console/texts/language.ts';
import { asSentence, inWords, TEXTS, textsOfData } from '../../../src/console/texts/texts.ts';
import { FORMATS } from '../../../src/feed/formats/formats.ts';
import { MESSAGES, message } from '../../../src/messages/messages.ts';
import { RULES } from '../../../src/rules/all.ts';
import type { Rule } from '../../../src/rules/rule.ts';

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

const others = LANGUAGE_CODES.filter((code) => code !== 'en').map((code) => {
  const { messages, further, ...pages } = LANGUAGES[code].texts;
  return { code, messages: messages!, further: further!, pages };
});

describe.each(others)('the texts of $code', ({ messages, further, pages }) => {
  test('has the texts of pages, with their placeholders, and no others', () => {
    expect(outline(pages)).toEqual(outline(EN));
  });

  test('has the messages, and no placeholder that is never filled', () => {
    const english = new Map(outline(MESSAGES));
    const other = outline(messages);
    expect(other.map(([path]) => path).sort()).toEqual([...english.keys()].sort());
    const unfilled = other.filter(([path, names]) => {
      const filled = new Set(english.get(path)!.split(','));
      return names.split(',').some((name) => name !== '' && !filled.has(name));
    });
    expect(unfilled).toEqual([]);
  });

  test('has the rules, the parameters of every format and the portals, and no others, under `further`', () => {
    const parameters = FORMATS.flatMap(({ feedParameters }) => feedParameters);
    const needed = {
      rules: RULES.map(({ code }) => code),
      parameters: [...new Set(parameters.map(({ name }) => name))],
      portals: PORTAL_LIST.map(({ id }) => id),
    };
    for (const [kind, keys] of Object.entries(needed)) {
      const given = Object.keys(further[kind as keyof typeof needed]);
      expect([kind, given.toSorted()]).toEqual([kind, keys.toSorted()]);
    }
    for (const { name, label } of parameters)
      expect([label, further.parameters[name]!.label]).not.toContain(name);
  });

  test('states of a rule the same numbers, a fix and an explanation in sentences', () => {
    const numbersIn = ({ explanation, fix }: Pick<Rule, 'explanation' | 'fix'>) =>
      `${explanation} ${fix}`
        .replaceAll(/(?<=\d)[., ](?=\d{3})/g, '')
        .match(/\d+/g)
        ?.toSorted();
    for (const rule of RULES) {
      const { explanation, fix } = further.rules[rule.code]!;
      expect([rule.code, numbersIn({ explanation, fix })]).toEqual([rule.code, numbersIn(rule)]);
      for (const text of [explanation, fix]) expect(text).toMatch(/^\p{Lu}.*\.$/u);
    }
  });
});

test('Spanish fixes can be read before their explanation', () => {
  const fixes = Object.values(LANGUAGES.es.texts.further!.rules).map(({ fix }) => fix);
  expect(fixes.filter((text) => /^\S*[áéíó]\S*l[ao]s?\b/.test(text))).toEqual([]);
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

const en = textsOfData(
  {
    units: { zero: '{name}: no unit', one: '{name}: 1 unit', other: '{name}: {count} units' },
    to: { other: 'To {name}' },
  },
  'en',
);
const es = textsOfData(
  {
    units: { zero: '{name}: nada', one: '{name}: 1 unidad', other: '{name}: {count} unidades' },
    to: { other: 'A {name}' },
  },
  'es',
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

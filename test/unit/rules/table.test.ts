import { describe, expect, test } from 'vitest';
import { RULES } from '../../../src/rules/all.ts';
import type { Rule, Text } from '../../../src/rules/rule.ts';

describe('what the rules say', () => {
  test('is about defects with a code each, an explanation and a fix in sentences', () => {
    expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length);
    for (const text of RULES.flatMap(({ en, es, fix }) => [en, es, fix.en, fix.es])) {
      expect(text).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('is a fix that can be read before the explanation, as the console shows it', () => {
    const pronoun =
      /^\w+ ((it|them|those|their)\b|(both|one)( of them)?[.:])|^\S*[áéíó]\S*l[ao]s?\b/;
    expect(
      RULES.flatMap(({ fix }) => [fix.en, fix.es]).filter((text) => pronoun.test(text)),
    ).toEqual([]);
  });

  test('names the source of what it states as law, and the date on which somebody last read it', () => {
    const isAboutLaw = ({ code, en, fix }: Rule) =>
      /\b(law|decree|real decreto|ley|regulation|legal|court|licen[cs]e|permit|required in spain|\d+\/20\d\d)\b/i.test(
        `${code.replaceAll('_', ' ')} ${en} ${fix.en}`,
      );
    expect(RULES.filter(isAboutLaw).map(({ code }) => code)).toEqual([
      'energy_rating_missing',
      'rental_license_missing',
    ]);
    for (const { law } of RULES.filter((rule) => isAboutLaw(rule) || rule.law !== undefined)) {
      expect(law?.length).toBeGreaterThan(0);
      for (const { name, url, checked } of law!) {
        expect([name, url, checked]).toEqual([
          expect.stringMatching(/20\d\d/),
          expect.stringMatching(/^https?:/),
          expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        ]);
      }
    }
  });

  test('states the same numbers in both languages, and those in their codes', () => {
    const numbersIn = (rule: Rule, language: keyof Text) =>
      `${rule[language]} ${rule.fix[language]}`
        .replaceAll(/(?<=\d)[.,](?=\d{3})/g, '')
        .match(/\d+/g) ?? [];
    for (const rule of RULES) {
      const { code } = rule;
      const [english, spanish] = [numbersIn(rule, 'en'), numbersIn(rule, 'es')];
      expect([code, english.toSorted()]).toEqual([code, spanish.toSorted()]);
      for (const number of code.match(/\d+/g) ?? [])
        expect([code, english]).toEqual([code, expect.arrayContaining([number])]);
    }
  });
});

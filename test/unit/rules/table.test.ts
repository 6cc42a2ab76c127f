import { describe, expect, test } from 'vitest';
import { RULES } from '../../../src/rules/all.ts';
import type { Rule } from '../../../src/rules/rule.ts';

describe('what the rules say', () => {
  test('is about defects with a code each, an explanation and a fix in sentences', () => {
    expect(new Set(RULES.map(({ code }) => code)).size).toBe(RULES.length);
    for (const text of RULES.flatMap(({ explanation, fix }) => [explanation, fix])) {
      expect(text).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('is a fix that can be read before the explanation, as the console shows it', () => {
    const pronoun = /^\w+ ((it|them|those|their)\b|(both|one)( of them)?[.:])/;
    expect(RULES.filter(({ fix }) => pronoun.test(fix))).toEqual([]);
  });

  test('names the source of what it states as law, and the date on which somebody last read it', () => {
    const isAboutLaw = ({ code, explanation, fix }: Rule) =>
      /\b(law|decree|real decreto|ley|regulation|legal|court|licen[cs]e|permit|required in spain|\d+\/20\d\d)\b/i.test(
        `${code.replaceAll('_', ' ')} ${explanation} ${fix}`,
      );
    expect(RULES.filter(isAboutLaw).map(({ code }) => code)).toEqual([
      'energy_rating_missing',
      'rental_license_missing',
    ]);
    for (const { sources } of RULES.filter(
      (rule) => isAboutLaw(rule) || rule.sources !== undefined,
    )) {
      expect(sources?.length).toBeGreaterThan(0);
      for (const { name, url, checked } of sources!) {
        expect([name, url, checked]).toEqual([
          expect.stringMatching(/20\d\d/),
          expect.stringMatching(/^https?:/),
          expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
        ]);
      }
    }
  });

  test('states the numbers in its code', () => {
    const stated = ({ explanation, fix }: Rule) =>
      `${explanation} ${fix}`.replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/\d+/g) ?? [];
    for (const rule of RULES) {
      const { code } = rule;
      for (const number of code.match(/\d+/g) ?? [])
        expect([code, stated(rule)]).toEqual([code, expect.arrayContaining([number])]);
    }
  });
});

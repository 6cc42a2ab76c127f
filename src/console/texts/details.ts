import DETAILS from './details.json' with { type: 'json' };
import { IMPORTS, type Language } from './texts.ts';

/** How imports interpret values, in English, and the same in Spanish. */
const MEANINGS = Object.entries(IMPORTS.en.meanings).map(([key, english]) => {
  return [english, IMPORTS.es.meanings[key as keyof typeof IMPORTS.es.meanings]] as const;
});

/** What the API, feeds and imports say of values, and the same in Spanish. */
const SPANISH: readonly (readonly [RegExp, string])[] = [
  // Words that can be chosen from; what else a value can be is described in English.
  [/^is '(.*)'; allowed: (\w+(?:, \w+)*)$/, 'es «$1»; se admite: $2'],
  ...[...Object.entries(DETAILS), ...MEANINGS].map(([english, spanish]) => {
    const form = english.replaceAll(/[().?*+]/g, '\\$&').replaceAll(/\{\d\}/g, '(.*)');
    return [new RegExp(`^${form}$`), spanish.replaceAll(/\{(\d)\}/g, '$$$1')] as const;
  }),
];

/** A line of a detail: of which record and which field it is, if stated, and of which value. */
const LINE = /^(line \d+(?:, property .*?)?: (?:\S+: )?)?(".*": )?(.*)$/;

/** What is wrong in the language of the page, as a predicate or sentences; `otherwise` stands for what is not known in Spanish. */
export function detailIn(language: Language, detail: string, otherwise = 'no se admite'): string {
  if (language === 'en') return detail;
  const lines = detail.split('\n').map((line) => {
    const [, record = '', value = '', text = ''] = LINE.exec(line)!;
    const unknown = record === '' ? otherwise : 'no se admite';
    const [form, spanish] = SPANISH.find(([known]) => known.test(text)) ?? [/^.*$/, unknown];
    return record.replace('line', 'línea').replace('property', 'inmueble') + value + text.replace(form, spanish);
  });
  return lines.join('\n');
}

/** The same as a sentence. */
export function detailSentence(language: Language, detail: string): string {
  const text = detailIn(language, detail);
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

import OF_IMPORTS from '../imports/details.json' with { type: 'json' };
import type { Language } from './texts.ts';

/** What is wrong with a value, as rules of the API and of feeds word it, and the same in Spanish. */
const SPANISH: readonly (readonly [RegExp, string])[] = [
  [/^is missing$/, 'falta'],
  [/^must be one of: (.*)$/, 'debe ser uno de: $1'],
  [/^must be at least (.*)$/, 'debe ser $1 como mínimo'],
  [/^must be at most (.*)$/, 'debe ser $1 como máximo'],
  [/^must be an integer$/, 'debe ser un número entero'],
  [/^must have at most (\d+) entries$/, 'debe tener $1 entradas como máximo'],
  [/^must have at least (\d+) characters$/, 'debe tener $1 caracteres como mínimo'],
  [/^must have at most (\d+) (characters|bytes in UTF-8)$/, 'debe tener $1 caracteres como máximo'],
  [/^must have (\d+) to (\d+) (characters|bytes in UTF-8)$/, 'debe tener de $1 a $2 caracteres'],
  [/^must not contain control characters.*$/, 'no debe contener caracteres de control'],
  [/^must not contain a line feed$/, 'no debe contener saltos de línea'],
  [/^must not contain a feature twice$/, 'no debe repetir una característica'],
  [/^must not begin or end with a space$/, 'no debe empezar ni terminar con un espacio'],
  [/^is given more than once$/, 'se ha indicado más de una vez'],
  [/^is fixed to '(.*)' for this reader$/, 'está fijado en «$1» para este portal'],
  [/^is '(.*)'; allowed: (\d+) to (\d+), separated by commas$/, 'es «$1»; se admite: de $2 a $3, separados por comas'],
  [/^is '(.*)'; allowed: (\d+) to (\d+)$/, 'es «$1»; se admite: de $2 a $3'],
  [/^is '(.*)'; allowed: (\d+) or greater$/, 'es «$1»; se admite: $2 o mayor'],
  [/^is '(.*)'; allowed: (\w+(?:, \w+)*)$/, 'es «$1»; se admite: $2'],
  [/^is '(.*)'; allowed: .*$/, 'es «$1», lo que no se admite'],
  ...Object.entries(OF_IMPORTS).map(([english, spanish]) => {
    const form = english.replaceAll(/[().?*+]/g, '\\$&').replaceAll(/\{\d\}/g, '(.*)');
    return [new RegExp(`^${form}$`), spanish.replaceAll(/\{(\d)\}/g, '$$$1')] as const;
  }),
];

/** What is wrong in the language of the page, as a predicate or a sentence; `otherwise` stands for what is not known in Spanish. */
export function detailIn(language: Language, detail: string, otherwise = 'no se admite'): string {
  if (language === 'en') return detail;
  const [form, spanish] = SPANISH.find(([known]) => known.test(detail)) ?? [/^.*$/s, otherwise];
  return detail.replace(form, spanish);
}

/** The same as a sentence. */
export function detailSentence(language: Language, detail: string): string {
  const text = detailIn(language, detail);
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

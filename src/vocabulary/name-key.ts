import { boundedCache } from '../lib/bounded-cache.ts';

/** Keys by names: the same names come with record after record of a file. */
const KEYS = boundedCache<string>({
  maxBytes: 2_000_000,
  valueBytes: (key) => 2 * key.length,
  compute: keyOf,
});

/**
 * The key that names are compared by. Letter case, accents, punctuation, spaces and English and Spanish plurals make no
 * difference: `En-Suite Bathrooms`, `ensuite bathroom` and `En suite bathroom` have the same key.
 */
export function nameKey(name: string): string {
  return KEYS.memo(name);
}

function keyOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’`´]/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{N}]+/u);
  const key = words.map(stem).join('');
  // A name that consists of punctuation only matches itself.
  return key === '' ? name.normalize('NFC').replaceAll(/\s+/g, ' ').trim() : key;
}

/** A word without the ending that its plural adds or changes: `balcony` and `balconies`, `jardin` and `jardines`. */
function stem(word: string): string {
  if (word.length <= 3 || word.endsWith('ss')) return word;
  return word.replace(/ies$/, 'y').replace(/s$/, '').replace(/e$/, '').replace(/c$/, 'z');
}

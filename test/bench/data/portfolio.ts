import { readFileSync } from 'node:fs';
import { LANGUAGES } from '../../../src/lib/languages.ts';
import {
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
} from '../../../src/properties/documents.ts';
import { Random } from '../../support/random.ts';

const PICTURES = 20;
const FEATURES = 15;

/** Characters of each text if there is one in every language. */
const LONG_TEXT = 2_000;

/** One in this many properties is a unit of a development. */
const UNIT_EVERY = 20;

/**
 * Units of a development. It is a large one: a new building in Spain has 17 homes on average
 * (https://tinsa.es/blog/vivienda/menos-una-veintena-viviendas-edificio-espana).
 */
const UNITS = 100;

/** The first development, which every portfolio has. */
export const DEVELOPMENT = 'D1';

/** Two texts, or long ones in all languages of feeds: Russian letters take two bytes. */
type Texts = 'short' | 'long';

const demo = readFileSync('src/demo/demo.ndjson', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => parseDocument(JSON.parse(line)));
const vocabulary = demo.filter(({ kind }) => ['type', 'category', 'feature'].includes(kind));
const features = demo.filter((document) => document.kind === 'feature').map(({ code }) => code);
const templates = demo.filter((document) => document.kind === 'property' && document.unit === null);

/** A portfolio of `properties` properties made from those of the demo, with everything they refer to; always the same. */
export function* portfolio(
  properties: number,
  texts: Texts = 'short',
): Generator<PortfolioDocument> {
  const random = new Random(20_260_501);
  yield* vocabulary;
  for (let number = 1; number <= Math.max(1, developmentOf(properties)); number++) {
    yield parseDocument({
      kind: 'development',
      id: `D${number}`,
      name: 'Residencial Mirador & Golf',
      details: { location: { latitude: 36.5, longitude: -4.9 } },
    });
  }
  for (let number = 1; number <= properties; number++) {
    const isUnit = number % UNIT_EVERY === 0;
    const unit = isUnit ? { development: `D${developmentOf(number)}`, name: `A-${number}` } : null;
    if (unit !== null)
      yield parseDocument({ kind: 'unit', ...unit, status: 1, price: 100_000 + number });
    const template = templates[number % templates.length] as PropertyDocument;
    yield {
      ...template,
      id: `R${3_000_000 + number}`,
      ref: `LB-${10_000 + number}`,
      unit,
      offers: isUnit
        ? { ...template.offers, sale: { price: null, minimum_price: 0 } }
        : template.offers,
      texts: texts === 'short' ? bilingual(template) : multilingual(template),
      pictures: Array.from(
        { length: PICTURES },
        (_, index) =>
          `https://pictures.example/LB-${10_000 + number}/${index + 1}/${random.hex(32)}.jpg?w=1200&q=85`,
      ),
      features: random.some(features, Math.min(FEATURES, features.length)),
    };
  }
}

/** The number of the development of the last unit among this many properties. */
function developmentOf(properties: number): number {
  return Math.ceil(Math.floor(properties / UNIT_EVERY) / UNITS);
}

/** The names of the units of the first development in a portfolio of this many properties. */
export function unitNames(properties: number): string[] {
  const units = Math.min(UNITS, Math.floor(properties / UNIT_EVERY));
  return Array.from({ length: units }, (_, index) => `A-${(index + 1) * UNIT_EVERY}`);
}

function bilingual({ texts: { uk, es } }: PropertyDocument): PropertyDocument['texts'] {
  return { ...(uk && { uk }), ...(es && { es }) };
}

function multilingual({ texts: { uk } }: PropertyDocument): PropertyDocument['texts'] {
  const text = (uk?.description ?? '').repeat(LONG_TEXT).slice(0, LONG_TEXT);
  const russian = text.replaceAll(/[a-z]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + 0x3cf),
  );
  const entries = LANGUAGES.map(({ element }) => [
    element,
    { ...uk, description: element === 'ru' ? russian : text },
  ]);
  return Object.fromEntries(entries);
}

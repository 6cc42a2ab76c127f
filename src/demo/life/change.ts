import type { PropertyDocument } from '../../properties/documents.ts';
import type { Change, FactChanges, UnitChanges } from './types.ts';

/** Which value of a {@link Change} a document gets: the one before, or the one after. */
export type Side = 'before' | 'after';

function sideOf<Value>([before, after]: Change<Value>, side: Side): Value {
  return side === 'before' ? before : after;
}

type Part = Record<string, unknown>;

/** A property with one side of changes of its facts. */
export function withFacts(
  property: PropertyDocument,
  changes: FactChanges,
  side: Side,
): PropertyDocument {
  const copy = structuredClone(property);
  for (const [path, change] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop()!;
    const parent = names.reduce((part, name) => part[name] as Part, copy as Part);
    parent[last] = sideOf(change, side);
  }
  return copy;
}

/** A property with one side of a change of words in a description. */
export function withWords(
  property: PropertyDocument,
  { language, words }: { readonly language: 'uk' | 'es'; readonly words: Change<string> },
  side: Side,
): PropertyDocument {
  const text = property.texts[language]!;
  const other = sideOf(words, side === 'before' ? 'after' : 'before');
  const description = text.description!.replace(other, sideOf(words, side));
  return { ...property, texts: { ...property.texts, [language]: { ...text, description } } };
}

/** A unit with one side of changes of it. */
export function withUnitChanges<Unit extends { readonly status: number; readonly price: number }>(
  unit: Unit,
  { status, price }: UnitChanges,
  side: Side,
): Unit {
  return {
    ...unit,
    ...(status && { status: sideOf(status, side) }),
    ...(price && { price: sideOf(price, side) }),
  };
}

/** The changes of facts that new prices of sales are. */
export function priceChanges(price: Change<number>): FactChanges {
  return { 'offers.sale.price': price };
}

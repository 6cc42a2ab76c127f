import { type ListedRow, listProperties } from '../../db/feed/listings.ts';
import { readStored } from '../../db/portfolio/read.ts';
import { keyOf, type PortfolioDocument, type PropertyDocument } from '../../portfolio/documents.ts';
import type { Language } from '../texts/texts.ts';

/** A property with the names of its type and its features. */
export interface ShownProperty {
  readonly document: PropertyDocument;
  readonly row: ListedRow;
  readonly type: string;
  readonly features: readonly string[];
}

/** A property as its page shows it; `null` if the account has none with this identifier. */
export async function loadProperty(
  db: D1Database,
  accountId: number,
  identifier: string,
  language: Language,
): Promise<ShownProperty | null> {
  const wanted = [{ kind: 'property', id: identifier } as PortfolioDocument];
  const [stored, { rows }] = await Promise.all([
    readStored(db, accountId, wanted),
    listProperties(db, accountId, { identifiers: [identifier], order: 'changed' }, 0, 1),
  ]);
  const document = stored.get(keyOf('property', identifier)) as PropertyDocument | undefined;
  const [row] = rows;
  if (document === undefined || row === undefined) return null;
  const { type, features } = document;
  const vocabulary = await readStored(db, accountId, [
    { kind: 'type', code: type } as PortfolioDocument,
    ...features.map((code) => ({ kind: 'feature', code }) as PortfolioDocument),
  ]);
  const element = language === 'es' ? 'es' : 'uk';
  const typeDocument = vocabulary.get(keyOf('type', type));
  const label = typeDocument?.kind === 'type' ? (typeDocument.labels[element] ?? typeDocument.labels.uk) : undefined;
  return {
    document,
    row,
    type: label?.subtype ?? label?.type ?? type,
    features: features.map((code) => {
      const feature = vocabulary.get(keyOf('feature', code));
      return (feature?.kind === 'feature' && (feature.labels[element] ?? feature.labels.uk)) || code;
    }),
  };
}

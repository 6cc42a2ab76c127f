import { readPages } from '../../db/feed/feed-properties.ts';
import type { ListedRow } from '../../db/feed/listings.ts';
import { readVocabulary } from '../../db/vocabulary.ts';
import { REFUSING_PORTALS } from '../../rules/all.ts';
import type { PortalView } from './portal.ts';

/**
 * Portals with the properties that their feeds leave out although their parameters select them: those of which the code that
 * writes the feed, given what the reader's policy withholds, writes no record.
 *
 * @param rows the properties that matter
 */
export async function withRefused(
  db: D1Database,
  accountId: number,
  portals: readonly PortalView[],
  rows: readonly ListedRow[],
): Promise<PortalView[]> {
  const scope = { numbers: JSON.stringify(rows.map(({ number }) => number)) };
  const completing = portals.map(async (portal) => {
    const { format, reader } = portal;
    if (rows.length === 0 || !(REFUSING_PORTALS as readonly string[]).includes(format.name)) return portal;
    // What is refused does not depend on texts.
    const parameters = { ...portal.parameters, languages: [] };
    const dictionary = format.renderDictionary(await readVocabulary(db, accountId), []);
    const refused = new Set<string>();
    for await (const page of readPages(db, accountId, scope, parameters, format, reader.channelId)) {
      const left = page.rows.filter((row) => format.writeProperties([row], parameters, dictionary).records === 0);
      for (const { identifier } of left) refused.add(identifier);
    }
    return { ...portal, refused };
  });
  return Promise.all(completing);
}

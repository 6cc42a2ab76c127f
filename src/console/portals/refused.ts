import type { Context } from 'hono';
import { readPages } from '../../db/feed/feed-properties.ts';
import type { ListedRow } from '../../db/feed/listings.ts';
import { readVocabulary } from '../../db/vocabulary.ts';
import type { AppEnv } from '../../env.ts';
import { withheldBy } from '../../portfolio/policy.ts';
import { REFUSING_PORTALS } from '../../rules/all.ts';
import { loadReport } from '../report/load.ts';
import type { Visitor } from '../visit.ts';
import type { PortalView } from './portal.ts';

/** Properties that are read one by one to say which are refused, at most. */
const MAX_READ = 2_000;

/** Fewer properties than this are read one by one; of more, the report says which are refused, since its parts are cached. */
const FEW = 50;

/**
 * Portals with the properties that their feeds leave out although their parameters select them. The report says which its rules
 * refuse; of a portal that may not see places, and of a few properties, those for which the feed has no record.
 *
 * @param rows the properties that matter
 */
export function withRefused(
  c: Context<AppEnv>,
  visitor: Visitor,
  portals: readonly PortalView[],
  rows: readonly ListedRow[],
): Promise<PortalView[]> {
  const completing = portals.map(async (portal) => {
    const refusing = REFUSING_PORTALS.find((name) => name === portal.format.name);
    if (rows.length === 0 || refusing === undefined) return portal;
    const { columns } = withheldBy(portal.parameters.policy);
    if (rows.length <= FEW || columns.has('latitude') || columns.has('address')) {
      return { ...portal, refused: await withoutRecord(c.env.DB, visitor.account.id, portal, rows) };
    }
    const report = await loadReport(c, visitor, { format: refusing, muted: [] });
    return { ...portal, refused: new Set(report?.findings.map(({ property }) => property)) };
  });
  return Promise.all(completing);
}

async function withoutRecord(
  db: D1Database,
  accountId: number,
  { format, parameters: given, reader }: PortalView,
  rows: readonly ListedRow[],
): Promise<Set<string>> {
  const scope = { numbers: JSON.stringify(rows.slice(0, MAX_READ).map(({ number }) => number)) };
  // What is refused does not depend on texts.
  const parameters = { ...given, languages: [] };
  const dictionary = format.renderDictionary(await readVocabulary(db, accountId), []);
  const refused = new Set<string>();
  for await (const page of readPages(db, accountId, scope, parameters, format, reader.channelId)) {
    const left = page.rows.filter((row) => format.writeProperties([row], parameters, dictionary).records === 0);
    for (const { identifier } of left) refused.add(identifier);
  }
  return refused;
}

import { readListingOrder } from '../../feed/build/feed-properties.ts';
import { loadManifest } from '../../feed/manifest/manifest-cache.ts';
import { selectPreset } from '../../feed/request/query.ts';
import { listProperties } from '../../properties/store/listings.ts';
import { isWithheld, policyIn } from '../../readers/policy.ts';
import type { PartialReport } from '../../rules/check.ts';
import { FINDINGS_SET, loadReportParts } from '../../rules/report/load.ts';
import { makeReport, type ReportFilter } from '../../rules/report.ts';
import type { SignedInReader } from '../session/session.ts';
import type { Visitor } from '../visit.ts';

/** Parts of 500 properties that are checked in about a second: a page waits for no more than these. */
const PARTS_A_SECOND = 3;

/**
 * The report on the properties that a visitor may see; `null` if the account no longer exists. If many properties have changed
 * since they were checked, it lacks some of them, and the page says so.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function loadReport(
  visitor: Visitor,
  filter: ReportFilter,
  mostAwaited = PARTS_A_SECOND,
) {
  const { c, db, account, reader, language } = visitor;
  const { manifest } = await loadManifest(db, account.code, FINDINGS_SET, Date.now());
  if (manifest === null) return null;
  const { parts, settings, unchecked } = await loadReportParts(c, manifest, mostAwaited);
  if (unchecked > 0) c.set('checkedIn', 1 + Math.ceil(unchecked / PARTS_A_SECOND));
  const visible = reader === null ? parts : await visibleTo(visitor, reader, parts);
  return makeReport(visible, { ...settings, ...filter }, language, manifest.now);
}

/** Nodes that a feed for sale or for rent alone does not have. */
const OTHER_NODES = { SALE: /^(longterm|shortterm|rental_license)/, RENT: /^price/, All: null };

/** What policies call what a node shows, where that has another name. */
const WITHHELD_AS: Readonly<Record<string, string>> = { rental_license: 'rental_licence' };

/** The findings about the properties that a reader's preset and channel list, and about what such feeds show of them. */
async function visibleTo(
  { db, account }: Visitor,
  reader: SignedInReader,
  parts: readonly PartialReport[],
) {
  const { preset, channel, policy } = reader;
  const { parameters } = selectPreset(preset, channel, policy);
  const { numbers } = await readListingOrder(db, account.id, parameters, channel);
  const { rows } = await listProperties(
    db,
    account.id,
    { numbers, order: 'added' },
    0,
    numbers.length,
  );
  const identifiers = new Set(rows.map(({ identifier }) => identifier));
  const hidden = OTHER_NODES[parameters.category];
  const seen = policyIn(policy);
  const isHidden = (node: string) => {
    const [name = ''] = node.split('/');
    const isElsewhere = name === 'location' && seen.place !== 'exact';
    return hidden?.test(node) || isElsewhere || isWithheld(seen, WITHHELD_AS[name] ?? name);
  };
  return parts.map(({ traces, findings }) => {
    const visible = Object.entries(findings).map(([rule, found]) => [
      rule,
      found.filter(({ property, node }) => identifiers.has(property) && !isHidden(node)),
    ]);
    return {
      traces: traces.filter(({ id }) => identifiers.has(id)),
      findings: Object.fromEntries(visible),
    };
  });
}

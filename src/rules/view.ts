import { groupBy } from '../lib/group-by.ts';
import type { Report } from './report.ts';

/** A report as JSON: summarised by rule, and in detail by property. */
export function reportView({ properties, withErrors, counts, languages, rules, findings }: Report) {
  const byProperty = groupBy(findings, ({ property }) => property);
  return {
    summary: { properties, properties_with_errors: withErrors, ...counts, languages },
    rules,
    properties: [...byProperty].map(([id, found]) => ({
      id,
      findings: found.map(({ rule, node, value }) => ({ rule, node, value })),
    })),
  };
}

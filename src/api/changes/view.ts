import type { PropertyChange, UnitChange } from '../../db/news/changes.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { type Policy, redacted } from '../../portfolio/policy.ts';
import { unitView } from '../units/view.ts';

/**
 * A change as represented in responses: the property as it is now, or that the caller no longer sees it.
 *
 * @param audience what a reader may see, with the secret of moved places; `null` for a client
 */
export function propertyChangeView(
  { id, number, document }: PropertyChange,
  audience: { readonly policy: Policy; readonly secret: string } | null,
) {
  if (document === null) return { kind: 'removed', id, number } as const;
  const property =
    audience === null ? { ...document } : shownByFeeds(redacted(document, audience.policy, audience.secret));
  return { kind: 'changed', id, number, property } as const;
}

/** A change of a unit as represented in responses. */
export function unitChangeView(change: UnitChange) {
  const { kind, number } = change;
  if (kind === 'changed') return { kind, number, unit: unitView(change.unit) } as const;
  return { kind, number, development_id: change.development, UntName: change.name } as const;
}

/** A property without what no feed shows. */
function shownByFeeds(document: PropertyDocument) {
  const { address, channels, commission, email, floor, prime, restrictions, source_changed_at, texts, ...shown } =
    document;
  const withoutTitles = Object.entries(texts).map(([language, { title, ...text }]) => [language, text]);
  return { ...shown, texts: Object.fromEntries(withoutTitles) };
}

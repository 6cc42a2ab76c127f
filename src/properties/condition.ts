import { allowedTags } from '../lib/entity-tags.ts';

/** The condition of a request (RFC 9110 section 13.1). */
export interface Condition {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/**
 * Whether a condition allows a change.
 *
 * @param tag the entity tag of the present state; `null` if there is none
 */
export function allows({ ifMatch, ifNoneMatch }: Condition, tag: string | null): boolean {
  const isListed = (header: string) => {
    if (tag === null) return false;
    return allowedTags(header)?.includes(tag.slice(1, -1)) ?? true;
  };
  if (ifMatch !== undefined && !isListed(ifMatch)) return false;
  return ifNoneMatch === undefined || !isListed(ifNoneMatch);
}

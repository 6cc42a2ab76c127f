import { DAYS_RESERVED } from '../limits.ts';
import { type ListingRule, NONE } from '../rule.ts';

const DAY = 86_400;
const YEAR = 365 * DAY;
const RESERVED = DAYS_RESERVED * DAY;

const RESERVED_STATUSES: readonly string[] = ['Under Offer', 'Sale Agreed'];

/** These depend on the time: each says from when or until when it holds. */
export const TIME_RULES: readonly ListingRule[] = [
  {
    code: 'listed_in_the_future',
    severity: 'warning',
    portals: [],
    check: ({ listedAt }) =>
      listedAt === null ? NONE : [{ node: 'listing_date', value: day(listedAt), until: listedAt }],
  },
  {
    code: 'not_updated_for_a_year',
    severity: 'info',
    portals: [],
    check: ({ updatedAt }) =>
      updatedAt === null ? NONE : [{ node: 'last_updated', value: day(updatedAt), from: updatedAt + YEAR }],
  },
  {
    code: 'reserved_for_months',
    severity: 'warning',
    portals: [],
    check: ({ status, updatedAt }) =>
      updatedAt === null || !RESERVED_STATUSES.includes(status)
        ? NONE
        : [{ node: 'status', value: `${status}, ≤ ${day(updatedAt)}`, from: updatedAt + RESERVED }],
  },
];

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

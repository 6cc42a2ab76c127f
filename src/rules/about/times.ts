import { type ListingChecks, NONE } from '../rule.ts';

/** Days after which a reservation should have become a sale. */
const DAYS_RESERVED = 120;

const DAY = 86_400;
const YEAR = 365 * DAY;
const RESERVED = DAYS_RESERVED * DAY;

const RESERVED_STATUSES: readonly string[] = ['Under Offer', 'Sale Agreed'];

/** These depend on the time: each says from when or until when it holds. */
export const TIME_CHECKS: ListingChecks = {
  listed_in_the_future: ({ listedAt }) =>
    listedAt === null ? NONE : [{ node: 'listing_date', value: day(listedAt), until: listedAt }],
  not_updated_for_a_year: ({ updatedAt }) =>
    updatedAt === null ? NONE : [{ node: 'last_updated', value: day(updatedAt), from: updatedAt + YEAR }],
  reserved_for_months: ({ status, updatedAt }) =>
    updatedAt === null || !RESERVED_STATUSES.includes(status)
      ? NONE
      : [{ node: 'status', value: `${status}, ≤ ${day(updatedAt)}`, from: updatedAt + RESERVED }],
};

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

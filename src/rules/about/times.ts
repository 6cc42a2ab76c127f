import { type ListingRule, NONE } from '../rule.ts';

/** Days after which a reservation should have become a sale. */
const DAYS_RESERVED = 120;

const DAY = 86_400;
const YEAR = 365 * DAY;
const RESERVED = DAYS_RESERVED * DAY;

const RESERVED_STATUSES: readonly string[] = ['Under Offer', 'Sale Agreed'];

/** These depend on the time: each says from when or until when it holds. */
export const TIME_RULES: readonly ListingRule[] = [
  {
    code: 'listed_in_the_future',
    severity: 'warning',
    en: 'The listing date is in the future.',
    es: 'La fecha de publicación está en el futuro.',
    fix: { en: 'Correct the date.', es: 'Corrija la fecha.' },
    check: ({ listedAt }) =>
      listedAt === null ? NONE : [{ node: 'listing_date', value: day(listedAt), until: listedAt }],
  },
  {
    code: 'not_updated_for_a_year',
    severity: 'info',
    en: 'Nothing about the property has changed for a year. Portals rank it last, and buyers doubt that it is still available.',
    es: 'Nada del inmueble ha cambiado durante un año. Los portales lo muestran al final, y los compradores dudan de que siga disponible.',
    fix: { en: 'Ask the owner, and review or withdraw it.', es: 'Pregunte al propietario, y revíselo o retírelo.' },
    check: ({ updatedAt }) =>
      updatedAt === null ? NONE : [{ node: 'last_updated', value: day(updatedAt), from: updatedAt + YEAR }],
  },
  {
    code: 'reserved_for_months',
    severity: 'warning',
    en: `The property has been reserved for more than ${DAYS_RESERVED} days without a change.`,
    es: `El inmueble está reservado, sin cambios, desde hace más de ${DAYS_RESERVED} días.`,
    fix: { en: 'Mark it as sold or available again.', es: 'Márquelo como vendido, o de nuevo como disponible.' },
    check: ({ status, updatedAt }) =>
      updatedAt === null || !RESERVED_STATUSES.includes(status)
        ? NONE
        : [{ node: 'status', value: `${status}, ≤ ${day(updatedAt)}`, from: updatedAt + RESERVED }],
  },
];

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

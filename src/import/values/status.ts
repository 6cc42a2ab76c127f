import type { PropertyDocument } from '../../portfolio/documents.ts';
import { spelling, UNREADABLE, type Understood } from './interpretation.ts';

export interface Status {
  readonly status: PropertyDocument['status'];
  readonly rented?: boolean;
}

/** The status of a property, and whether it is rented. */
export function readStatus(text: string): Understood<Status> {
  const word = spelling(text);
  const known = STATUSES.get(word);
  if (known === undefined) return UNREADABLE;
  return PLAIN.has(word) ? { value: known } : { value: known, how: 'spelling' };
}

const PLAIN = new Set(
  'available|for sale|for rent|under offer|reserved|sale agreed|sold|withdrawn|off market'.split('|'),
);

const WORDS: readonly (readonly [Status, string])[] = [
  [{ status: 'Available' }, 'available|for sale|for rent|to let|active|activo|activa|disponible|listing|listed|live'],
  [{ status: 'Available' }, 'published|on market|sale|rent|verfugbar|disponivel|beschikbaar|en venta|en alquiler|1'],
  [{ status: 'Under Offer' }, 'under offer|offer|option|under option|on hold|hold|bajo oferta|con oferta|sous offre'],
  [{ status: 'Sale Agreed' }, 'reserved|sale agreed|sold stc|sstc|sold subject to contract|under contract|reservado'],
  [{ status: 'Sale Agreed' }, 'reservada|reserviert|gereserveerd|reserve|booked|senalizado'],
  [{ status: 'Sold' }, 'sold|vendido|vendida|verkauft|verkocht|vendu|completed'],
  [
    { status: 'Withdrawn' },
    'withdrawn|off market|offmarket|inactive|inactivo|unavailable|not available|archived|retirado',
  ],
  [{ status: 'Withdrawn' }, 'no disponible|deleted|removed|draft'],
  [{ status: 'Available', rented: true }, 'rented|let|let agreed|rented out|alquilado|alquilada|vermietet|verhuurd'],
];

const STATUSES: ReadonlyMap<string, Status> = new Map(
  WORDS.flatMap(([status, words]) => words.split('|').map((word) => [word, status] as const)),
);

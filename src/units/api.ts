import type * as z from 'zod';
import { missing } from '../api/responses.ts';
import { problemResponse } from '../problem.ts';
import { serves } from '../request-log.ts';
import * as schemas from './schemas.ts';

export const DEVELOPMENTS = '/v1/developments';
export const DEVELOPMENT = `${DEVELOPMENTS}/{development_id}` as const;
export const UNITS = `${DEVELOPMENT}/units` as const;
export const UNIT = `${UNITS}/{name}` as const;

/** What to do if the database fails. */
export const RETRY = 'Retry later; updates are idempotent.';

/** Middleware of the interface. */
export const servesUnits = serves('units', {
  unavailable: (headers) => problemResponse({ code: 'unavailable', detail: RETRY }, headers),
});

export const NO_DEVELOPMENT = missing('development', 'elsewhere');
export const NO_UNIT = missing(
  'unit',
  'Z-999',
  schemas.unitNotFound('no unit', 'sol-azul', 'Z-999'),
);

// Examples.

export const VALUES: z.output<typeof schemas.unitValues> = {
  UntStatus: 8,
  UntPrice: 325_000,
  UntDirections: [['S', 'SE']],
};
export const UPDATED: z.output<typeof schemas.unit> = {
  UntName: 'A-101',
  ...VALUES,
  development_id: 'sol-azul',
  version: 2,
  changed_at: '2026-11-01T09:30:00Z',
};
export const DEVELOPMENT_STATE = { development_id: 'sol-azul', name: 'Sol Azul', units: 2 };

import * as z from 'zod';
import { because } from '../messages/messages.ts';
import { matching } from '../messages/parsed.ts';
import {
  address,
  bytes,
  fitsInto,
  location,
  optional,
  perLanguage,
  text,
  textList,
} from './checks.ts';

/** How far the building of a development has come, in this order. */
export const STAGES = [
  'groundwork',
  'foundations',
  'structure',
  'show_home',
  'paving',
  'fittings',
  'handover',
] as const;

/** What is built. */
export const BUILDINGS = ['new_building', 'restored_building', 'houses', 'mixed'] as const;

/** The letter of the energy certificate, or why there is none. */
export const CERTIFICATES = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'in_process', 'exempt'] as const;

/** As stored: D1 limits a row to 2 MB. */
const MAX_BYTES = 1_000_000;

/** What feeds of new developments show of a development; what is left out is unknown. */
export const developmentDetails = z
  .strictObject({
    building: z.enum(BUILDINGS).default('new_building'),
    stage: optional(z.enum(STAGES)),
    finished: optional(z.boolean()),
    /** When building starts, such as `2026-09-01`. */
    starts_on: optional(
      z.iso.date().refine((date) => date.startsWith('20'), because('not_this_century')),
    ),
    /** The month in which keys are handed over, such as `2028-06`. */
    keys_in: optional(matching(/^20\d\d-(0[1-9]|1[0-2])$/, 'not_month')),
    address: optional(text(0, 500)),
    town: optional(text(0, 200)),
    province: optional(text(0, 200)),
    country: optional(text(0, 200)),
    postcode: optional(text(0, 40)),
    location: optional(location),
    energy: optional(z.enum(CERTIFICATES)),
    texts: perLanguage(z.strictObject({ description: bytes(1, 20_000) })).default(() => ({})),
    /** URLs in the order of display. */
    pictures: textList(address, 200).default(() => []),
  })
  .refine(
    (details) => fitsInto(JSON.stringify(details), MAX_BYTES),
    because('too_large_as_json', { most: MAX_BYTES }),
  );

export type DevelopmentDetails = z.output<typeof developmentDetails>;

/** Nothing stated. */
export const NO_DETAILS: DevelopmentDetails = developmentDetails.parse({});

export type DevelopmentPlace = Pick<
  DevelopmentDetails,
  'address' | 'town' | 'province' | 'country' | 'postcode' | 'location'
>;

import type * as z from 'zod';
import type * as schemas from './schemas.ts';

/** A property, as it is sent. */
export const VILLA: z.input<typeof schemas.propertyDocument> = {
  ref: 'CS-2001',
  type: 'Villa',
  status: 'Available',
  town: 'Marbella',
  province: 'Málaga',
  beds: 4,
  bath: 3.5,
  built_area: 280,
  offers: { sale: { price: 890_000 } },
  texts: { uk: { description: 'A villa within walking distance of the beach.' } },
  features: ['Sea views', 'Communal pool'],
  pictures: ['https://pictures.example/2001.jpg'],
};

export const BATCH: z.input<typeof schemas.batch> = {
  operations: [
    { op: 'put', id: 'CS-2002', property: { ...VILLA, ref: 'CS-2002' } },
    { op: 'patch', id: 'R0', patch: { beds: 3 } },
  ] satisfies z.input<typeof schemas.propertyOperation>[],
};

export const AT = { path: { id: 'R4100001' } };
export const AT_NEW = { path: { id: 'CS-2001' } };
export const AT_BATCHED = { path: { id: 'CS-2002' } };
export const NOWHERE = { path: { id: 'R0' } };

export const VILLA = {
  ref: 'CS-2001',
  type: 'Villa',
  status: 'Available',
  town: 'Marbella',
  province: 'Málaga',
  beds: 4,
  bath: 3.5,
  built_area: 280,
  offers: { sale: { price: 890_000 } },
  texts: { uk: { description: 'A villa in walking distance of the beach.' } },
  features: ['Sea views', 'Communal pool'],
  pictures: ['https://pictures.example/2001.jpg'],
};

export const NO_PROPERTY = {
  description: 'the account has no such property.',
  detail: 'The account has no property "R0".',
};

export const OUTDATED = {
  description: 'the property has another `ETag` than `If-Match`, or exists in spite of `If-None-Match: *`.',
  detail: 'The property has changed, or exists, or does not exist.',
};

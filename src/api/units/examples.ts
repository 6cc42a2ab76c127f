/** The unit of the examples, before and after an update. */
export const RESERVED = { UntName: 'A-101', UntStatus: 8, UntPrice: 325_000, UntDirections: [['S', 'SE']] };
export const AVAILABLE = { ...RESERVED, UntStatus: 1, UntPrice: 315_000, UntDirections: [] };

const UPDATED_AT = '2026-11-01T09:30:00Z';
const STORED = { development_id: 'sol-azul', version: 2, changed_at: UPDATED_AT };

export const A_101 = { ...RESERVED, ...STORED };
export const A_102 = { ...RESERVED, ...STORED, UntName: 'A-102', UntStatus: 4 };

export const UNIT_EXAMPLE = {
  ...A_101,
  changes: [
    {
      changed_at: UPDATED_AT,
      client_id: 'demo-client',
      from: { UntStatus: 1, UntPrice: 310_000, UntDirections: [] },
      to: { UntStatus: 8, UntPrice: 325_000, UntDirections: [['S', 'SE']] },
    },
  ],
};

export const DEVELOPMENT_EXAMPLE = { development_id: 'sol-azul', name: 'Sol Azul', units: 2 };

export const AT = { path: { development_id: 'sol-azul' } };
export const AT_UNIT = { path: { development_id: 'sol-azul', name: 'A-101' } };

export const NO_DEVELOPMENT = {
  description: 'the account has no such development.',
  detail: 'The account has no development "elsewhere".',
  request: { path: { development_id: 'elsewhere', name: 'A-101' } },
};

export const NO_UNIT = {
  description: 'the development has no such unit.',
  detail: 'The development "sol-azul" has no unit named "Z-999".',
};

import { env } from 'cloudflare:workers';
import { createClient } from '../../../src/oauth/clients.ts';
import { SCOPES } from '../../../src/oauth/scopes.ts';
import { createAccount } from '../../../src/operator/accounts.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';

const UNIT = { kind: 'unit', development: 'sol-azul', status: 1, price: 310_000 } as const;

/** Stores the agency that the documented examples assume: the codes and secrets of the demo, and little data. */
export async function openExampleAgency(): Promise<void> {
  const accountId = await createAccount(env.DB, { code: 'DEMO', name: 'Demo', password: 'demo' });
  await store(env.DB, accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'sol-azul', name: 'Sol Azul' }),
    parseDocument({ ...UNIT, name: 'A-101' }),
    parseDocument({ ...UNIT, name: 'A-102' }),
    property('R4100001', {
      ref: 'CS-1001',
      updated_at: '2026-03-04T05:06:07Z',
      area: 'Nueva Andalucía',
      location: { latitude: 36.5, longitude: -4.95 },
      beds: 5,
      bath: 4.5,
      built_area: 320,
      plot_area: 1_100,
      built_year: 2004,
      has_pool: true,
      emissions: 'B',
      consumption: 'C',
      offers: { sale: { price: 1_250_000 } },
      texts: { uk: { description: 'A villa close to the sea.' } },
      features: ['Sea'],
      pictures: ['https://pictures.example/1.jpg'],
    }),
  ]);
  await createClient(env.DB, {
    id: 'demo-client',
    accountId,
    secret: 'demo-secret',
    scopes: SCOPES,
  });
}

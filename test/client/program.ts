import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

/**
 * What an agency's own program does, with the types that openapi-typescript generates from the service's document. Prints the
 * status of each response as JSON.
 */
const [origin, clientId, secret] = process.argv.slice(2) as [string, string, string];
const api = createClient<paths>({ baseUrl: origin });
const steps: Record<string, unknown> = {};

function done(
  step: string,
  { response, error }: { readonly response: Response; readonly error?: unknown },
): void {
  steps[step] = error === undefined ? response.status : error;
}

const { data: token } = await api.POST('/oauth/token', {
  body: { grant_type: 'client_credentials', client_id: clientId, client_secret: secret },
});
api.use({
  onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${token!.access_token}`),
});

const atProperty = { path: { id: 'villa-1' } };
const created = await api.PUT('/v1/properties/{id}', {
  params: { ...atProperty, header: { 'If-None-Match': '*' } },
  body: {
    ref: 'V-1',
    type: 'Villa',
    status: 'Available',
    town: 'Nerja',
    province: 'Málaga',
    offers: { sale: { price: 250_000 } },
    texts: { uk: { description: 'A villa.' } },
  },
});
done('create property', created);
const listed = await api.GET('/v1/properties', {
  params: { query: { limit: 10, status: 'Available' } },
});
done('list properties', listed);
steps.properties = listed.data?.properties.map(({ id, town }) => `${id} in ${town}`);
const patched = await api.PATCH('/v1/properties/{id}', {
  params: { ...atProperty, header: { 'If-Match': created.response.headers.get('ETag')! } },
  body: { beds: 4 },
});
done('patch property', patched);
const change: components['schemas']['PropertyPatch'] = {
  floor: null,
  offers: { sale: { price: 260_000 }, long_term: null },
  pictures: ['https://pictures.example/1.jpg'],
};
const changed = await api.PATCH('/v1/properties/{id}', {
  params: { ...atProperty, query: { validate: 'true' } },
  body: change,
});
steps.price = changed.data?.property.offers.sale?.price;
const news = await api.GET('/v1/changes', { params: { query: { limit: 10, labels: 'es' } } });
steps.changes = news.data?.changes.map((one) =>
  one.kind === 'changed' ? `${one.id}: ${one.property.beds} beds` : `${one.id} removed`,
);
const vocabulary = await api.GET('/v1/vocabulary');
steps.villa = vocabulary.data?.types.find(
  ({ code }) => code === patched.data?.property.type,
)?.labels.es?.type;
steps.beds = patched.data?.property.beds;
done(
  'delete property',
  await api.DELETE('/v1/properties/{id}', { params: { ...atProperty, query: { purge: 'true' } } }),
);
const missing = await api.GET('/v1/properties/{id}', { params: atProperty });
steps['read it again'] = missing.error?.code;

const development = { development_id: 'sol-azul' };
done(
  'create development',
  await api.PUT('/v1/developments/{development_id}', {
    params: { path: development },
    body: { name: 'Sol Azul' },
  }),
);
const values = { UntStatus: 1 as const, UntPrice: 310_000, UntDirections: [['S', 'SE']] };
const atUnit = { path: { ...development, name: 'A-101' } };
done(
  'create unit',
  await api.PUT('/v1/developments/{development_id}/units/{name}', { params: atUnit, body: values }),
);
const updated = await api.POST('/v1/developments/{development_id}/units/update-by-name', {
  params: { path: development },
  body: { UntName: 'A-101', ...values, UntStatus: 8 },
});
done('update unit', updated);
steps.version = updated.data?.version;

const started = await api.POST('/v1/imports', { body: { url: 'https://feeds.example/kyero.xml' } });
done('import', started);
done(
  'read import',
  await api.GET('/v1/imports/{import_id}', {
    params: { path: { import_id: String(started.data?.id) } },
  }),
);

const atSource = { path: { source: 'crm' } };
done(
  'create source',
  await api.PUT('/v1/sources/{source}', {
    params: atSource,
    body: { url: 'https://feeds.example/kyero.xml', every: 'day', at: '03:30', enabled: false },
  }),
);
const sources = await api.GET('/v1/sources');
steps.sources = sources.data?.sources.map(({ name, every }) => `${name} every ${every}`);
done('delete source', await api.DELETE('/v1/sources/{source}', { params: atSource }));

process.stdout.write(JSON.stringify(steps));

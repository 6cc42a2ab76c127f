import { Api } from '../http/api.ts';
import { ok } from '../http/operation.ts';
import { hasOtherIssuer } from '../oauth/issuer.ts';
import { SCHEMAS } from './schema-files.ts';
import { directory } from './schemas.ts';

const DIRECTORY = {
  service: 'Lindero',
  documentation: '/docs',
  feed: '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@{account}&P={password}&FV=3',
  kyero: '/kyero.xml?U=OWNPROPERTIES@{account}&P={password}',
  schemas: SCHEMAS.map((name) => `/schemas/${name}`),
  developments: '/v1/developments',
};

const ISSUER = { token_metadata: '/.well-known/oauth-authorization-server' };

/** An overview of the service's interfaces for programs; browsers get a page of `console/`. */
export const home = new Api('Service');

home.read({
  path: '/',
  operationId: 'getDirectory',
  summary: 'The interfaces of the service',
  description: 'JSON for programs, a page for browsers.',
  responses: { 200: ok(directory, 'Where the interfaces are.', 'Vary') },
  examples: { directory: { body: { ...DIRECTORY, ...ISSUER } } },
  handle: async (c) => ({
    body: { ...DIRECTORY, ...(!hasOtherIssuer(c.env) && ISSUER) },
    headers: { 'Cache-Control': 'public, max-age=600', Vary: 'Accept' },
  }),
});

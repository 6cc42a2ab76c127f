import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type { AppEnv } from '../env.ts';
import { hasOtherIssuer } from '../oauth/issuer.ts';
import { methodNotAllowed } from '../problem.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { type Directory, homePage } from './page.ts';

/** An overview of the service's interfaces: a page for browsers, JSON for programs. */
export const home = new Hono<AppEnv>();

home.get('/', (c) => {
  const directory: Directory = {
    service: 'Lindero',
    documentation: '/docs',
    feed: '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@{account}&P={password}&FV=3',
    schemas: Object.keys(SCHEMAS).map((name) => `/schemas/${name}`),
    developments: '/v1/developments',
    ...(hasOtherIssuer(c.env) ? {} : { token_metadata: '/.well-known/oauth-authorization-server' }),
  };
  const headers = { 'Cache-Control': 'public, max-age=600', Vary: 'Accept' };
  const supported = ['application/json', 'text/html'];
  if (accepts(c, { header: 'Accept', supports: supported, default: 'application/json' }) !== 'text/html') {
    return c.json(directory, 200, headers);
  }
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return c.html(homePage(directory), 200, { ...headers, 'Content-Security-Policy': policy });
});

home.all('/', () => methodNotAllowed('GET, HEAD'));

import { Hono } from 'hono';
import type { AppEnv } from '../env.ts';
import { hasOtherIssuer } from '../oauth/issuer.ts';
import { methodNotAllowed } from '../problem.ts';
import { SCHEMA_FILES } from '../schemas/files.ts';

/** The service's interfaces, by name. */
interface Directory {
  readonly service: string;
  /** A path. */
  readonly documentation: string;
  /** An RFC 6570 template. */
  readonly feed: string;
  /** The same for Kyero's format. */
  readonly kyero: string;
  /** Paths. */
  readonly schemas: readonly string[];
  readonly developments: string;
  /** Missing if another issuer issues the tokens. */
  readonly token_metadata?: string;
}

/** An overview of the service's interfaces for programs; browsers get a page of `console/`. */
export const home = new Hono<AppEnv>();

home.get('/', (c) => {
  const directory: Directory = {
    service: 'Lindero',
    documentation: '/docs',
    feed: '/CreateXMLFeedV3.asp?U=OWNPROPERTIES@{account}&P={password}&FV=3',
    kyero: '/kyero.xml?U=OWNPROPERTIES@{account}&P={password}',
    schemas: Object.keys(SCHEMA_FILES).map((name) => `/schemas/${name}`),
    developments: '/v1/developments',
    ...(hasOtherIssuer(c.env) ? {} : { token_metadata: '/.well-known/oauth-authorization-server' }),
  };
  return c.json(directory, 200, { 'Cache-Control': 'public, max-age=600', Vary: 'Accept' });
});

home.all('/', () => methodNotAllowed('GET, HEAD'));

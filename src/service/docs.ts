import { Hono } from 'hono';
import { serveAsset } from '../assets.ts';
import type { AppEnv } from '../env.ts';

/**
 * The page loads its own scripts and the API's description, and nothing from anywhere else. Its renderer creates styles, and
 * searches in a worker that it creates from a text.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SCRIPTS = ['/docs/redoc.js', '/docs/docs.js', '/docs/docs.css'];

/** The API's description as an OpenAPI document, and as a page to read and search. */
export const docs = new Hono<AppEnv>();

docs.get('/openapi.json', (c) => serveAsset(c.env, c.req.raw, '/openapi.json', { 'Access-Control-Allow-Origin': '*' }));
docs.get('/docs', (c) => serveAsset(c.env, c.req.raw, '/docs.html', { 'Content-Security-Policy': POLICY }));
docs.on('GET', SCRIPTS, (c) => serveAsset(c.env, c.req.raw, c.req.path));

import { Hono } from 'hono';
import type { AppEnv } from '../env.ts';
import { drawScene } from './scenes.ts';

/**
 * The pictures of the demo agencies, drawn on request, so that they show without a network: in development only, where
 * the setting `DEMO` is `true`. A name ends in what it shows, as `cs-1001-2-pool.svg`, and gives the same picture each time.
 */
export const demoPictures = new Hono<AppEnv>();

demoPictures.get('/demo/pictures/:file{[a-z0-9-]{1,80}\\.svg}', (c, next) => {
  if (c.env.DEMO !== 'true') return next();
  const name = c.req.param('file').slice(0, -'.svg'.length);
  return c.body(drawScene(name), 200, {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': 'public, max-age=86400',
  });
});

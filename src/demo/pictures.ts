import { Hono } from 'hono';
import type { AppEnv } from '../env.ts';
import { drawScene } from './scenes.ts';

/**
 * Draws the pictures of the demo agencies on request, so that they need no network: in development only, where the setting
 * `DEMO` is `true`. The last word of a name is the scene, as in `cs-1001-2-pool.svg`; a name always gives the same picture.
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

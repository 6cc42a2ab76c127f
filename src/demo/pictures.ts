import type { Context } from 'hono';
import { drawScene } from './scenes.ts';

export const PICTURES_PATH = '/demo/pictures/:file{[a-z0-9-]{1,80}\\.svg}';

/**
 * Draws a picture of the demo agencies on request, so that they need no network. The last word of its name is the scene, as
 * in `cs-1001-2-pool.svg`; a name always gives the same picture.
 */
export function servePicture(c: Context): Response {
  const name = c.req.param('file')!.slice(0, -'.svg'.length);
  return c.body(drawScene(name), 200, {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': 'public, max-age=86400',
  });
}

import type { Context } from 'hono';
import type { AppEnv } from '../env.ts';
import { serveAsset } from '../http/assets.ts';

export const PICTURES_PATH = '/demo/pictures/:property/:file{[0-9]+-[a-z-]+\\.jpg}';

/**
 * Serves a picture of the demo agencies. Properties share a dozen files, but each property has its own URLs, as in a real
 * feed: `cs-1001/1-villa.jpg` and `cs-1013/1-villa.jpg` are the file `villa.jpg`.
 */
export function servePicture(c: Context<AppEnv>): Promise<Response> {
  const [, name] = /-(.+)$/.exec(c.req.param('file')!)!;
  return serveAsset(c, `/demo/pictures/${name}`, { 'Cache-Control': 'public, max-age=86400' });
}

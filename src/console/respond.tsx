import type { Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../env.ts';
import { Layout } from './frame/layout.tsx';
import type { Guest, Page, Visitor } from './visit.ts';

/**
 * The headers of every page: no script or style in it, no frame around it, no source but the service itself.
 *
 * @param picturesFrom sources of pictures in addition to the service
 */
export function pageHeaders(picturesFrom: readonly string[] = []) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      styleSrc: ["'self'"],
      scriptSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'data:', ...picturesFrom],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    // Whether other services of the domain are served by HTTPS is not this service's to say.
    strictTransportSecurity: 'max-age=15552000',
  });
}

/** A page as a response. It belongs to whoever is signed in, so nothing may store it. */
export async function respond(c: Context<AppEnv>, guest: Guest | Visitor, page: Page): Promise<Response> {
  const html = await (<Layout page={page} guest={guest} here={here(c)} />);
  // Unlike a response of its own, this one has the cookies that were set.
  return c.body(`<!doctype html>${html}`, (page.status ?? 200) as ContentfulStatusCode, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept, Accept-Language, Cookie',
    ...page.headers,
  });
}

/** Path and query of a page that can be requested again, also after a form was sent to it. */
function here(c: Context<AppEnv>): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname === '/sign-in' ? '/' : pathname + search;
}

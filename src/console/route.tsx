import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { except } from 'hono/combine';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import type { Role } from '../accounts/people.ts';
import type { AppEnv } from '../env.ts';
import { serveAsset } from '../http/assets.ts';
import { BodyError } from '../lib/http/body.ts';
import { describeError, log, logUnexpected } from '../lib/log.ts';
import { isUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { problemResponse } from '../problem.ts';
import { serves } from '../request-log.ts';
import { showFeed } from './feed/page.tsx';
import { showHome } from './home/page.tsx';
import { showImports, uploadFile } from './imports/list.tsx';
import { importOnce } from './imports/once.tsx';
import { run } from './imports/run.tsx';
import { source } from './imports/source.tsx';
import { shownOnce } from './once/page.tsx';
import {
  failurePage,
  guestOf,
  type Handle,
  notFoundPage,
  requireForm,
  requireSessionKey,
  respond,
  signedIn,
  UPLOAD_TYPE,
  wantsPage,
} from './pages.tsx';
import { propertyPictures } from './pictures/page.tsx';
import { toPictures, uploadPictures } from './pictures/upload.ts';
import { connection, contents } from './portals/contents.tsx';
import { undoPortal } from './portals/history.tsx';
import { portal, showPortals } from './portals/page.tsx';
import { visits } from './portals/visits.tsx';
import { bulk } from './properties/bulk.tsx';
import { propertyForm } from './properties/edit.tsx';
import { propertyList } from './properties/list.tsx';
import { property } from './properties/page.tsx';
import { undo } from './properties/undo.tsx';
import { downloadReport, report } from './report/page.tsx';
import { chooseALanguage, postSignIn } from './session/handle.tsx';
import { signOut } from './session/session.ts';
import { agency, toAgency } from './settings/agency.tsx';
import { client, showPrograms } from './settings/clients.tsx';
import { formatSettings } from './settings/format.tsx';
import { invitation } from './settings/invitation.tsx';
import { orLog, showLog } from './settings/log.tsx';
import { ownNames } from './settings/names.tsx';
import { peoplePage } from './settings/people.tsx';
import { ownSignIn } from './settings/sign-in.tsx';
import { showWebhooks, webhook } from './settings/webhooks.tsx';
import { addUnits } from './units/add.tsx';
import { showDevelopments, units } from './units/board.tsx';
import { development } from './units/development.tsx';
import { showPrices } from './units/prices.tsx';
import { unit } from './units/unit.tsx';

interface Route {
  readonly get: Handle;
  /** What a form of the page does. */
  readonly post?: Handle;
  readonly needs?: Role;
  /** The least role that can send the form; by default `editor`, or `needs` if stated. */
  readonly changes?: Role;
  readonly takesFile?: true;
  /** Whether the page is also for those who sign in with a reader's key. */
  readonly forReaders?: true;
  /** Whether pictures of the listings are shown, which agencies have on other servers. */
  readonly withPictures?: true;
}

/** Every page but those of guests, by its path. */
export const ROUTES: Readonly<Record<string, Route>> = {
  '/': { get: showHome },
  '/properties': { ...propertyList, withPictures: true },
  '/properties/change': { ...bulk, needs: 'editor', withPictures: true },
  '/undo': { ...undo, needs: 'editor' },
  '/property': { ...property, withPictures: true },
  '/property/edit': { ...propertyForm, needs: 'editor', withPictures: true },
  '/property/pictures': { ...propertyPictures, withPictures: true },
  '/property/pictures/upload': {
    get: toPictures,
    post: uploadPictures,
    needs: 'editor',
    takesFile: true,
  },
  '/developments': { get: showDevelopments },
  '/developments/edit': { ...development, needs: 'editor', withPictures: true },
  '/units': units,
  '/units/add': { ...addUnits, needs: 'editor' },
  '/units/prices': { get: showPrices },
  '/unit': unit,
  '/portals': { get: showPortals },
  '/portals/connect': connection,
  '/portal': portal,
  '/portal/undo': { ...undoPortal, needs: 'editor' },
  '/portal/visits': { get: visits.get },
  '/portals/contents': contents,
  '/imports': { get: showImports, post: uploadFile, takesFile: true },
  '/imports/once': { ...importOnce, needs: 'editor' },
  '/imports/source': { ...source, needs: 'editor' },
  '/import': run,
  '/feed': { get: showFeed, forReaders: true, withPictures: true },
  '/report': { ...report, forReaders: true },
  '/settings': { get: orLog(peoplePage.get), post: peoplePage.post, changes: 'owner' },
  '/settings/sign-in': { ...ownSignIn, changes: 'viewer' },
  '/settings/agency': { ...agency, needs: 'owner' },
  '/settings/password': { get: toAgency, needs: 'owner' },
  '/settings/programs': { get: showPrograms },
  '/settings/client': { ...client, needs: 'owner' },
  '/settings/webhooks': { get: showWebhooks },
  '/settings/webhook': webhook,
  '/settings/format': { ...formatSettings, needs: 'editor' },
  '/settings/names': ownNames,
  '/settings/log': { get: showLog },
  '/shown-once': { ...shownOnce, changes: 'viewer' },
  '/report.csv': { get: downloadReport, forReaders: true },
};

/** The headers of every page: no script or style in it, no frame around it, no source but the service and these pictures. */
function pageHeaders(picturesFrom: readonly string[] = []) {
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

/** Pages for people: an agency's properties, portals and units. */
export const pages = new Hono<AppEnv>();

const GUEST_FORMS = {
  '/sign-in': postSignIn,
  '/sign-out': signOut,
  '/language': chooseALanguage,
  '/invitation': invitation,
};

for (const path of [...Object.keys(ROUTES), ...Object.keys(GUEST_FORMS), '/console/*']) {
  pages.use(path, serves('console'));
}

const unlessProgram = (middleware: MiddlewareHandler) => except((c) => !wantsPage(c), middleware);

for (const [path, route] of Object.entries(ROUTES)) {
  const { get, post, needs = 'viewer', forReaders = false, withPictures = false } = route;
  const guards = [pageHeaders(withPictures ? ['https:', 'http:'] : []), requireSessionKey];
  pages.use(path, ...(path === '/' ? guards.map(unlessProgram) : guards));
  const show = signedIn(get, needs, forReaders);
  pages.get(path, path === '/' ? async (c, next) => (wantsPage(c) ? show(c) : next()) : show);
  if (post !== undefined) {
    const changes = route.changes ?? (needs === 'viewer' ? 'editor' : needs);
    pages.post(
      path,
      requireForm(route.takesFile && UPLOAD_TYPE),
      csrf(),
      signedIn(post, changes, false),
    );
  }
}

for (const [path, post] of Object.entries(GUEST_FORMS)) {
  pages.use(path, pageHeaders(), requireSessionKey);
  pages.post(path, requireForm(), csrf(), post);
}
pages.get('/invitation', invitation);
// The address that a browser shows, and remembers, after a failed attempt.
pages.get('/sign-in', (c) => c.redirect('/', 303));

pages.get('/console/:file{console\\.(css|js)}', (c) => serveAsset(c, c.req.path));
// The names of fonts change with their content.
pages.get('/console/fonts/:file{inter-[a-z-]+\\.woff2}', (c) =>
  serveAsset(c, c.req.path, { 'Cache-Control': 'public, max-age=31536000, immutable' }),
);

/**
 * The response to a path that nothing is served at: a page for browsers, a problem for programs. Neither shows the path: it
 * may contain a password, if the feed's URL was mistyped.
 */
export async function unknownPath(c: Context<AppEnv>): Promise<Response> {
  if (!wantsPage(c))
    return problemResponse({ code: 'not_found', detail: 'Nothing is served at this path.' });
  const guest = guestOf(c);
  await pageHeaders()(c, async () => {
    c.res = await respond(guest, notFoundPage(guest, guest.common.nothingHere));
  });
  return c.res;
}

pages.onError((error, c) => {
  const { common } = guestOf(c);
  // From the check against forms of other sites.
  if (error instanceof HTTPException) return failurePage(c, error.status, common.unknownOrigin);
  if (error instanceof BodyError)
    return failurePage(c, error.reason === 'too large' ? 413 : 400, common.incompleteForm);
  const { requestId } = c.var;
  if (!isUnavailable(error)) {
    logUnexpected(error, requestId);
    return failurePage(c, 500, `${common.unexpected} ${requestId}`);
  }
  log('error', 'dependency.unavailable', {
    requestId,
    interface: 'console',
    error: describeError(error),
  });
  return failurePage(c, 503, common.unavailable, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
});

import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { except } from 'hono/combine';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { serveAsset } from '../assets.ts';
import { readOverview } from '../db/overview.ts';
import { listReaders } from '../db/readers.ts';
import { listDevelopments, listUnits } from '../db/units.ts';
import type { AppEnv } from '../env.ts';
import { FORMATS, versionOf } from '../feed/formats/formats.ts';
import { BodyError } from '../lib/body.ts';
import { log, logUnexpected } from '../lib/log.ts';
import { DependencyUnavailable, orUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { methodNotAllowed } from '../problem.ts';
import { LIMIT_PERIOD_SECONDS } from '../rate-limits.ts';
import { readerViews } from '../readers/view.ts';
import { reportQuery } from '../report/schemas.ts';
import { requestId } from '../request-log.ts';
import type { ReportFilter } from '../rules/report.ts';
import { readFeedForm } from './feed/form.ts';
import { feedPage } from './feed/page.tsx';
import { readPreview } from './feed/preview.ts';
import {
  failurePage,
  guestOf,
  notFoundPage,
  readForm,
  requireForm,
  requireSessionKey,
  signedIn,
  wantsPage,
} from './guards.tsx';
import { overviewPage } from './overview/page.tsx';
import { pageHeaders, respond } from './page.tsx';
import { localPath } from './paths.ts';
import { loadReport } from './report/load.ts';
import { reportCsv, reportPage } from './report/page.tsx';
import { changeReportSettings } from './report/settings.tsx';
import { signInPage } from './session/sign-in.tsx';
import { checkPassword, chooseLanguage, signIn, signOut } from './session/visitor.ts';
import { isLanguage } from './texts/language.ts';
import { changeUnit, showUnit } from './units/handle.ts';
import { developmentsPage, type Entries, unitsPage } from './units/pages.tsx';

const PAGES = ['/developments', '/units', '/feed', '/report', '/report.csv'];
const FORMS = ['/sign-in', '/sign-out', '/language', '/unit', '/report'];
const FILES = ['/console/console.css', '/console/console.js'];

const ENTRIES_PER_PAGE = 100;

/** Pages for people: an account's properties, units and feeds. */
export const pages = new Hono<AppEnv>();

const unlessProgram = (middleware: MiddlewareHandler) => except((c) => !wantsPage(c), middleware);

pages.use('/', unlessProgram(pageHeaders()), unlessProgram(requireSessionKey));
for (const path of new Set([...FORMS, ...PAGES])) {
  pages.use(path, pageHeaders(path === '/feed' ? ['https:', 'http:'] : []), requireSessionKey);
}
for (const path of FORMS) pages.post(path, requireForm, csrf());

pages.get('/', async (c, next) => (wantsPage(c) ? showOverview(c) : next()));

const showOverview = signedIn(async (c, visitor) => {
  const { account, language } = visitor;
  const { DB } = c.env;
  const listed = listReaders(DB, account.id, null, ENTRIES_PER_PAGE);
  const [overview, readers, report] = await Promise.all([
    orUnavailable('overview', readOverview(DB, account.id, FORMATS.map(versionOf), language === 'es' ? 2 : 1)),
    orUnavailable(
      'readers',
      listed.then((found) => readerViews(DB, account.id, found, Date.now() / 1_000)),
    ),
    loadReport(c, visitor, {}),
  ]);
  return overviewPage(visitor, overview, readers, report);
});

pages.get(
  '/developments',
  signedIn(async (c, visitor) => {
    const { DB } = c.env;
    const after = c.req.query('after') ?? null;
    const found = await orUnavailable(
      'developments',
      listDevelopments(DB, visitor.account.id, after, ENTRIES_PER_PAGE + 1),
    );
    return developmentsPage(
      visitor,
      pageOf(found, ({ id }) => id),
    );
  }),
);

pages.get(
  '/units',
  signedIn(async (c, visitor) => {
    const { development = '', after } = c.req.query();
    const list = listUnits(c.env.DB, visitor.account.id, development, after ?? null, ENTRIES_PER_PAGE + 1);
    const found = await orUnavailable('units', list);
    if (found === null) return notFoundPage(visitor);
    return unitsPage(
      visitor,
      development,
      pageOf(found, ({ name }) => name),
    );
  }),
);

pages.get('/unit', signedIn(showUnit));

pages.post('/unit', signedIn(changeUnit));

pages.get(
  '/feed',
  signedIn(async (c, visitor) => {
    const form = readFeedForm(c.req.queries(), visitor.language);
    const url = `${new URL(c.req.url).origin}/${form.file}?${new URLSearchParams(form.given)}`;
    const preview = readPreview(c.env.DB, visitor, url, form);
    return feedPage(visitor, new URL(c.req.url).origin, form, await orUnavailable('preview', preview));
  }),
);

pages.get(
  '/report',
  signedIn(async (c, visitor) => {
    const filter = reportFilter(c);
    const report = filter && (await loadReport(c, visitor, filter));
    if (filter === null || report === null) return notFoundPage(visitor);
    const page = c.req.query('page') ?? '';
    return reportPage(visitor, report, filter, /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1);
  }),
);

pages.post('/report', signedIn(changeReportSettings));

pages.get(
  '/report.csv',
  signedIn(async (c, visitor) => {
    const filter = reportFilter(c);
    const report = filter && (await loadReport(c, visitor, filter));
    if (report === null) return notFoundPage(visitor);
    return new Response(reportCsv(report), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="report-${visitor.account.code}.csv"`,
        'Cache-Control': 'no-store',
      },
    });
  }),
);

pages.post('/sign-in', async (c) => {
  const { account = '', password = '', to } = Object.fromEntries(await readForm(c));
  const checked = await checkPassword(c.env, c.req.raw, account, password);
  const guest = guestOf(c);
  const given = { account, to: localPath(to) };
  switch (checked) {
    case 'denied':
      return respond(c, guest, { ...signInPage(guest, given, 'wrongCredentials'), status: 401 });
    case 'too many attempts': {
      const headers = { 'Retry-After': String(LIMIT_PERIOD_SECONDS) };
      return respond(c, guest, { ...signInPage(guest, given, 'limited'), status: 429, headers });
    }
    default:
      c.set('caller', { accountId: checked.account.id, clientId: 'console' });
      signIn(c, checked);
      return c.redirect(given.to, 303);
  }
});

pages.post('/sign-out', async (c) => {
  await signOut(c);
  return c.redirect('/', 303);
});

pages.post('/language', async (c) => {
  const { language, to } = Object.fromEntries(await readForm(c));
  if (isLanguage(language)) chooseLanguage(c, language);
  return c.redirect(localPath(to), 303);
});

pages.on('GET', FILES, (c) => serveAsset(c.env, c.req.raw, c.req.path));
pages.on('ALL', FILES, () => methodNotAllowed('GET, HEAD'));
pages.on('ALL', ['/sign-in', '/sign-out', '/language'], () => methodNotAllowed('POST'));
pages.on('ALL', ['/unit', '/report'], () => methodNotAllowed('GET, HEAD, POST'));
pages.on('ALL', PAGES, () => methodNotAllowed('GET, HEAD'));

pages.onError((error, c) => {
  const { texts } = guestOf(c);
  // Of the check against forms of other sites.
  if (error instanceof HTTPException) return failurePage(c, error.status, texts.unknownOrigin);
  if (error instanceof BodyError) return failurePage(c, error.reason === 'too large' ? 413 : 400, texts.invalid);
  if (!(error instanceof DependencyUnavailable)) {
    logUnexpected(error, requestId(c));
    return failurePage(c, 500, `${texts.unexpected} ${requestId(c)}`);
  }
  log('error', 'dependency.unavailable', { requestId: requestId(c), interface: 'console', error: error.message });
  return failurePage(c, 503, texts.unavailable, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
});

/** The filter of a report; `null` if a value is not allowed. A form sends an empty value for each choice that was not made. */
function reportFilter(c: Context<AppEnv>): ReportFilter | null {
  const given = Object.entries(c.req.query()).filter(([, value]) => value !== '');
  const filter = reportQuery.safeParse(Object.fromEntries(given));
  return filter.success ? filter.data : null;
}

function pageOf<Entry>(found: readonly Entry[], nameOf: (entry: Entry) => string): Entries<Entry> {
  const entries = found.slice(0, ENTRIES_PER_PAGE);
  return { entries, next: found.length > ENTRIES_PER_PAGE ? nameOf(entries.at(-1)!) : undefined };
}

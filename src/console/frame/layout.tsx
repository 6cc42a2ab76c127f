import { raw } from 'hono/html';
import { type CommonTexts, LANGUAGE_NAMES, type Language } from '../texts/texts.ts';
import { type Guest, GuestContext, type Page, useGuest, useVisitor, type Visitor } from '../visit.ts';
import DRAWINGS from './drawings.json' with { type: 'json' };
import { Brand, Icon, type IconName } from './icon.tsx';
import { initialsOf } from './logo.tsx';

interface LayoutProps {
  readonly page: Page;
  readonly guest: Guest | Visitor;
  /** Path and query of the page. */
  readonly here: string;
}

/** The document around a page. */
export function Layout({ page, guest, here }: LayoutProps) {
  const { language, texts } = guest;
  const isIn = 'account' in guest && page.isBare !== true;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${page.title} · Lindero`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/console/console.css" />
        <script type="module" src="/console/console.js" />
      </head>
      <body>
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <GuestContext.Provider value={guest}>
          {isIn ? (
            <div class="frame">
              <Side here={here} />
              <Main page={page} here={here} />
            </div>
          ) : (
            <div class="sign">
              <main id="content" tabindex={-1}>
                <Brand name="Lindero" />
                <h1>{page.title}</h1>
                {page.notice}
                {page.content}
                <LanguageForm here={here} />
              </main>
              <aside aria-hidden="true">{raw(DRAWINGS.scene)}</aside>
            </div>
          )}
        </GuestContext.Provider>
      </body>
    </html>
  );
}

function Main({ page: { title, lead, crumbs = [], actions, notice, content }, here }: { page: Page; here: string }) {
  const { reader, texts } = useVisitor();
  const [path = '/'] = here.split('?');
  const place = reader === null ? PLACES.find(([, href, paths]) => paths.test(path) && path !== href) : undefined;
  const way = place === undefined ? crumbs : [[texts[place[0]], place[1]] as const, ...crumbs];
  return (
    <main id="content" tabindex={-1}>
      {way.length > 0 && (
        <p class="crumb">
          {way.map(([name, href]) => (
            <>
              <a href={href}>{name}</a>
              <Icon name="chevron" />
            </>
          ))}
        </p>
      )}
      <div class="head">
        <div>
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {notice}
      {content}
    </main>
  );
}

/** The entries of the navigation, with the paths of the pages that belong to them. */
const PLACES: readonly (readonly [name: keyof CommonTexts & IconName, href: string, paths: RegExp])[] = [
  ['home', '/', /^\/$/],
  ['properties', '/properties', /^\/propert/],
  ['developments', '/developments', /^\/(developments|units?)$/],
  ['portals', '/portals', /^\/(portals?(\/|$)|feed)/],
  ['imports', '/imports', /^\/imports?(\/|$)/],
  ['report', '/report', /^\/report/],
  ['settings', '/settings', /^\/settings/],
];

function Side({ here }: { readonly here: string }) {
  const { texts, account, person, reader, role } = useVisitor();
  const [path = '/'] = here.split('?');
  const places: readonly (readonly [string, string, IconName, RegExp])[] =
    reader === null
      ? PLACES.map(([name, href, paths]) => [texts[name], href, name, paths])
      : [
          [texts.feed, '/feed', 'portals', /^\/feed/],
          [texts.report, '/report', 'report', /^\/report/],
          [texts.apiReference, '/docs', 'book', /^\/docs/],
        ];
  return (
    <div class="side">
      <Brand name="Lindero" />
      <nav aria-label={texts.menu}>
        {places.map(([name, href, icon, paths]) => (
          <a href={href} aria-current={paths.test(path) ? 'page' : undefined}>
            <Icon name={icon} />
            <span>{name}</span>
          </a>
        ))}
      </nav>
      <footer>
        <div class="who">
          <span class="avatar" aria-hidden="true">
            {initialsOf(person?.name ?? reader?.name ?? account.name)}
          </span>
          <span>
            {person?.name ?? reader?.name ?? account.name}
            <br />
            <span class="muted">{reader === null ? texts.roles[role] : account.name}</span>
          </span>
        </div>
        <div>
          <LanguageForm here={here} />
          {' · '}
          <form method="post" action="/sign-out">
            <button type="submit" class="plain">
              {texts.signOut}
            </button>
          </form>
        </div>
      </footer>
    </div>
  );
}

/** The other languages. */
function LanguageForm({ here }: { readonly here: string }) {
  const { language } = useGuest();
  const others = (Object.keys(LANGUAGE_NAMES) as Language[]).filter((other) => other !== language);
  return (
    <form method="post" action="/language">
      <input type="hidden" name="to" value={here} />
      {others.map((other) => (
        <button type="submit" class="plain" name="language" value={other} lang={other}>
          {LANGUAGE_NAMES[other]}
        </button>
      ))}
    </form>
  );
}

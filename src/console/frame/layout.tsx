import { raw } from 'hono/html';
import { type CommonTexts, LANGUAGE_NAMES, type Language } from '../texts/texts.ts';
import { type Guest, GuestContext, type Page, useGuest, useVisitor, type Visitor } from '../visit.ts';
import DRAWINGS from './drawings.json' with { type: 'json' };
import { Brand, Icon, type IconName, initialsOf } from './icon.tsx';

/**
 * The document around a page.
 *
 * @param here path and query of the page
 */
export function Layout({ page, guest, here }: { page: Page; guest: Guest | Visitor; here: string }) {
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
                <Brand />
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
  const place = reader === null ? PLACES.find(([, href, , paths]) => paths.test(path) && path !== href) : undefined;
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

/** An entry of the navigation, with the paths of the pages that belong to it. */
type Place = readonly [
  name: keyof CommonTexts & (IconName | 'feed' | 'apiReference'),
  href: string,
  icon: IconName,
  paths: RegExp,
];

const PLACES: readonly Place[] = [
  ['home', '/', 'home', /^\/$/],
  ['properties', '/properties', 'properties', /^\/propert/],
  ['developments', '/developments', 'developments', /^\/(developments|units?)$/],
  ['portals', '/portals', 'portals', /^\/(portals?(\/|$)|feed)/],
  ['imports', '/imports', 'imports', /^\/imports?(\/|$)/],
  ['report', '/report', 'report', /^\/report/],
  ['settings', '/settings', 'settings', /^\/settings/],
];

const PLACES_OF_READERS: readonly Place[] = [
  ['feed', '/feed', 'portals', /^\/feed/],
  ['report', '/report', 'report', /^\/report/],
  ['apiReference', '/docs', 'book', /^\/docs/],
];

function Side({ here }: { readonly here: string }) {
  const { texts, account, person, reader, role } = useVisitor();
  const [path = '/'] = here.split('?');
  const name = (person ?? reader ?? account).name;
  return (
    <div class="side">
      <Brand />
      <nav aria-label={texts.menu}>
        {(reader === null ? PLACES : PLACES_OF_READERS).map(([place, href, icon, paths]) => (
          <a href={href} aria-current={paths.test(path) ? 'page' : undefined}>
            <Icon name={icon} />
            <span>{texts[place]}</span>
          </a>
        ))}
      </nav>
      <footer>
        <div class="who">
          <span class="avatar" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span>
            {name}
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

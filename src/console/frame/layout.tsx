import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { type CommonTexts, LANGUAGE_NAMES } from '../texts/texts.ts';
import {
  type Guest,
  GuestContext,
  type Page,
  useGuest,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import DRAWINGS from './drawings.json' with { type: 'json' };
import { Brand, Icon, type IconName, initialsOf } from './icon.tsx';
import { Notice } from './parts.tsx';

/**
 * The document around a page.
 *
 * @param here path and query of the page
 */
export function Layout({
  page,
  guest,
  here,
}: {
  page: Page;
  guest: Guest | Visitor;
  here: string;
}) {
  const { language, texts } = guest;
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
          {'account' in guest ? (
            <div class="frame">
              <Side here={here} />
              <Main page={page} here={here} />
            </div>
          ) : (
            <div class="sign">
              <main id="content" tabindex={-1}>
                <Brand />
                <h1>{page.title}</h1>
                {page.lead && <p>{page.lead}</p>}
                {page.notice}
                {stacked(page.content)}
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

function Main({
  page: { title, lead, crumbs = [], actions, notice, content },
  here,
}: {
  page: Page;
  here: string;
}) {
  const { c, reader, texts } = useVisitor();
  const { checkedIn } = c.var;
  const [path = '/'] = here.split('?');
  const place =
    reader === null ? PLACES.find((one) => isOf(one, path) && path !== one[2]) : undefined;
  const way = place === undefined ? crumbs : [[texts[place[0]], place[2]!] as const, ...crumbs];
  return (
    <main id="content" tabindex={-1}>
      {way.length > 0 && (
        <p class="crumb">
          {way.map(([name, href]) => [<a href={href}>{name}</a>, <Icon name="chevron" />])}
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
      {checkedIn && (
        <div data-refresh={checkedIn}>
          <Notice kind="info">{`${texts.checking} ${texts.checkingWhy}`}</Notice>
        </div>
      )}
      {stacked(content)}
    </main>
  );
}

function stacked(content: Child): Child {
  return Array.isArray(content) ? <div class="stack">{content}</div> : content;
}

/** An entry of the navigation: its text, its icon, and the paths of its pages, its own first. */
type Place = readonly [
  name: keyof CommonTexts & (IconName | 'feed' | 'apiReference'),
  icon: IconName,
  ...string[],
];

const PLACES: readonly Place[] = [
  ['home', 'home', '/'],
  ['properties', 'properties', '/properties', '/property'],
  ['developments', 'developments', '/developments', '/units', '/unit'],
  ['portals', 'portals', '/portals', '/portal', '/feed'],
  ['imports', 'imports', '/imports', '/import'],
  ['report', 'report', '/report'],
  ['settings', 'settings', '/settings'],
];

const PLACES_OF_READERS: readonly Place[] = [
  ['feed', 'portals', '/feed'],
  ['report', 'report', '/report'],
  ['apiReference', 'book', '/docs'],
];

/** Whether a page is the entry's own, or below one of its pages. */
function isOf([, , ...pages]: Place, path: string): boolean {
  return pages.some((page) => path === page || path.startsWith(`${page}/`));
}

function Side({ here }: { here: string }) {
  const { texts, account, person, reader, role } = useVisitor();
  const [path = '/'] = here.split('?');
  const name = (person ?? reader ?? account).name;
  return (
    <header class="side">
      <Brand />
      <nav aria-label={texts.menu}>
        {(reader === null ? PLACES : PLACES_OF_READERS).map((place) => (
          <a href={place[2]} aria-current={isOf(place, path) ? 'page' : undefined}>
            <Icon name={place[1]} />
            <span>{texts[place[0]]}</span>
          </a>
        ))}
      </nav>
      <div class="signed-in">
        <div class="who">
          <span class="avatar" aria-hidden="true">
            {initialsOf(name)}
          </span>
          <span>
            {name}
            <br />
            <span class="muted">
              {reader === null ? `${texts.roles[role]} · ${account.code}` : account.name}
            </span>
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
      </div>
    </header>
  );
}

function LanguageForm({ here }: { here: string }) {
  const other = useGuest().language === 'en' ? 'es' : 'en';
  return (
    <form method="post" action="/language">
      <input type="hidden" name="to" value={here} />
      <button type="submit" class="plain" name="language" value={other} lang={other}>
        {LANGUAGE_NAMES[other]}
      </button>
    </form>
  );
}

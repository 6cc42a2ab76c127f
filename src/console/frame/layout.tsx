import { raw } from 'hono/html';
import { LANGUAGE_CODES, LANGUAGES } from '../texts/language.ts';
import {
  type Guest,
  GuestContext,
  type Page,
  useGuest,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import DRAWINGS from './drawings.json' with { type: 'json' };
import { Brand, Icon, initialsOf } from './icon.tsx';
import { Notice } from './parts.tsx';
import { isOf, PLACES, PLACES_OF_READERS, type Section, sectionsFor } from './places.ts';

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
  const { language, common } = guest;
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
          {common.skip}
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
                <div class="stack">{page.content}</div>
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

function Main({ page, here }: { readonly page: Page; readonly here: string }) {
  const visitor = useVisitor();
  const { reader, common } = visitor;
  const { title, lead, crumbs = [], actions, notice, content, checkedIn } = page;
  const [path = '/'] = here.split('?');
  const place = reader === null ? PLACES.find((one) => isOf(one, path)) : undefined;
  const sections = place === undefined ? [] : sectionsFor(place, visitor);
  const isBelow = place !== undefined && path !== place.paths[0];
  const way = isBelow ? [{ name: common[place.name], href: place.paths[0] }, ...crumbs] : crumbs;
  return (
    <main id="content" tabindex={-1}>
      {sections.length > 0 && <Sections sections={sections} path={path} />}
      {sections.length === 0 && way.length > 0 && (
        <p class="crumb">
          {way.map(({ name, href }) => (
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
      {checkedIn && (
        <div data-refresh={checkedIn}>
          <Notice kind="info">{`${common.checking} ${common.checkingWhy}`}</Notice>
        </div>
      )}
      <div class="stack">{content}</div>
    </main>
  );
}

/** The subjects of an entry, instead of the way to a page of one of them. */
function Sections({ sections, path }: { readonly sections: readonly Section[]; path: string }) {
  const { settings } = useGuest().common;
  const texts = useTexts('settings').sections;
  return (
    <nav class="tabs" aria-label={settings}>
      {sections.map(({ name, paths }) => (
        <a
          class="tab"
          href={paths[0]}
          aria-current={paths[0] === path ? 'page' : paths.includes(path) ? 'true' : undefined}
        >
          {texts[name]}
        </a>
      ))}
    </nav>
  );
}

function Side({ here }: { here: string }) {
  const { common, account, person, reader, role } = useVisitor();
  const [path = '/'] = here.split('?');
  const name = (person ?? reader ?? account).name;
  return (
    <header class="side">
      <Brand />
      <nav aria-label={common.menu}>
        {(reader === null ? PLACES : PLACES_OF_READERS).map((place) => (
          <a href={place.paths[0]} aria-current={isOf(place, path) ? 'page' : undefined}>
            <Icon name={place.icon} />
            <span>{common[place.name]}</span>
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
              {reader === null ? `${common.roles[role]} · ${account.code}` : account.name}
            </span>
          </span>
        </div>
        <div>
          <LanguageForm here={here} />
          {' · '}
          <form method="post" action="/sign-out">
            <button type="submit" class="plain">
              {common.signOut}
            </button>
          </form>
        </div>
      </div>
    </header>
  );
}

function LanguageForm({ here }: { here: string }) {
  const { language } = useGuest();
  return (
    <form method="post" action="/language">
      <input type="hidden" name="to" value={here} />
      {LANGUAGE_CODES.filter((code) => code !== language).map((code) => (
        <button type="submit" class="plain" name="language" value={code} lang={code}>
          {LANGUAGES[code].name}
        </button>
      ))}
    </form>
  );
}

import type { CommonTexts } from '../texts/common.ts';
import { LANGUAGE_NAMES, type Language } from '../texts/language.ts';
import type { Guest, Page, Visitor } from '../visit.ts';
import { Brand, Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
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
        {'account' in guest && page.isBare !== true ? (
          <div class="frame">
            <Side visitor={guest} here={here} />
            <Main page={page} />
          </div>
        ) : (
          <div class="sign">
            <main id="content" tabindex={-1}>
              <Brand name="Lindero" />
              <h1>{page.title}</h1>
              {page.notice}
              {page.content}
              <LanguageForm language={language} here={here} />
            </main>
            <Scene />
          </div>
        )}
      </body>
    </html>
  );
}

function Main({ page: { title, lead, crumbs = [], actions, notice, content } }: { readonly page: Page }) {
  return (
    <main id="content" tabindex={-1}>
      {crumbs.length > 0 && (
        <p class="crumb">
          {crumbs.map(([name, href]) => (
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

function Side({ visitor, here }: { readonly visitor: Visitor; readonly here: string }) {
  const { texts, account, person, reader, role, language } = visitor;
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
          <LanguageForm language={language} here={here} />
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
function LanguageForm({ language, here }: { readonly language: Language; readonly here: string }) {
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

/** A house above the sea in the evening: decoration of the page to sign in. */
function Scene() {
  return (
    <aside aria-hidden="true">
      <svg viewBox="0 0 560 350" aria-hidden="true">
        <rect width="560" height="350" fill="#f6cfa4" />
        <circle cx="418" cy="132" r="30" fill="#fdf1cf" />
        <path d="M0 186q110-84 240-8t320-22v60H0z" fill="#b9c8a4" />
        <path d="M0 204h560v70H0z" fill="#5d95aa" />
        <path d="M0 268h560v82H0z" fill="#5f8f5b" />
        <path d="M134 165h160v103H134zM294 120h130v148H294z" fill="#fbf8f1" />
        <path d="M122 165l34-36h138v36zM284 120l30-32h90l32 32z" fill="#c8714a" />
        <path
          d="M157 190h34v36h-34zM204 190h34v36h-34zM252 190h20v78h-20zM316 145h34v34h-34zM370 145h34v34h-34zM316 205h88v63h-88z"
          fill="#8cb8ce"
        />
        <path d="M84 288h300l50 48H28z" fill="#49b3d1" />
        <path d="M80 268q-6-60 8-86M472 268q10-70-8-110" fill="none" stroke="#8a6549" stroke-width="8" />
        <path
          d="M88 182q-30-18-44 8 26-14 44-8zm0 0q-8-30 22-34-14 16-22 34zm0 0q30-14 44 8-24-14-44-8zM464 158q-34-20-50 10 30-16 50-10zm0 0q-8-36 26-40-16 18-26 40zm0 0q34-16 50 10-28-16-50-10z"
          fill="#3f6f49"
        />
      </svg>
    </aside>
  );
}

import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from '../env.ts';
import type { SignedIn } from './session/visitor.ts';
import { LANGUAGE_NAMES, type Language } from './texts/language.ts';
import type { Texts } from './texts/texts.ts';

/** Somebody who looks at a page, in which language. */
export interface Guest {
  readonly language: Language;
  readonly texts: Texts;
}

/** Somebody who has signed in. */
export interface Visitor extends Guest, SignedIn {}

/** What a page shows, and its headers. */
export interface Page {
  readonly title: string;
  readonly content: Child;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

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
export async function respond(
  c: Context<AppEnv>,
  visitor: Guest | Visitor,
  { title, content, status = 200, headers = {} }: Page,
): Promise<Response> {
  const html = (
    <Layout title={title} visitor={visitor} here={here(c)}>
      {content}
    </Layout>
  );
  return new Response(`<!doctype html>${await html}`, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Language, Cookie',
      ...headers,
    },
  });
}

/** Path and query of a page that can be requested again; `/` for the response to a form that has none. */
function here(c: Context<AppEnv>): string {
  const { pathname, search } = new URL(c.req.url);
  return c.req.method === 'GET' || pathname === '/unit' ? pathname + search : '/';
}

interface LayoutProps {
  readonly title: string;
  readonly visitor: Guest | Visitor;
  readonly here: string;
  readonly children: Child;
}

function Layout({ title, visitor, here, children }: LayoutProps) {
  const { language, texts } = visitor;
  const signedIn = 'account' in visitor ? visitor : null;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Lindero`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/console/console.css" />
        <script type="module" src="/console/console.js" />
      </head>
      <body>
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <header>
          <strong>Lindero</strong>
          {signedIn && <Navigation visitor={signedIn} here={here} />}
          <form method="post" action="/language">
            <input type="hidden" name="to" value={here} />
            {(Object.keys(LANGUAGE_NAMES) as Language[]).map((other) => (
              <button
                type="submit"
                class="plain"
                name="language"
                value={other}
                lang={other}
                aria-current={other === language ? 'true' : undefined}
              >
                {LANGUAGE_NAMES[other]}
              </button>
            ))}
          </form>
          {signedIn && (
            <form method="post" action="/sign-out">
              <button type="submit" class="plain">
                {texts.signOut} ({signedIn.reader?.name ?? signedIn.account.code})
              </button>
            </form>
          )}
        </header>
        <main id="content" tabindex={-1}>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

function Navigation({ visitor: { texts, reader }, here }: { readonly visitor: Visitor; readonly here: string }) {
  const [path] = here.split('?');
  const pages = [
    ['/', texts.overview, ['/']],
    ['/developments', texts.developments, ['/developments', '/units', '/unit']],
    ['/feed', texts.feed, ['/feed']],
    ['/report', texts.report, ['/report']],
    ['/docs', texts.documentation, []],
  ] as const;
  return (
    <nav>
      {(reader === null ? pages : pages.slice(2)).map(([target, name, paths]) => (
        <a href={target} aria-current={paths.some((known) => known === path) ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** A message about what has just happened; read out by screen readers. */
export function Notice({ kind, children }: { readonly kind: 'good' | 'bad'; readonly children: Child }) {
  return (
    <p class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}

/** A column of a table: its title, and whether its cells are numbers. */
export type Column = readonly [title: string, kind?: 'number'];

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** The cells of each row, of which the first names it. */
  readonly rows: readonly (readonly Child[])[];
}

/** A table: on a narrow screen a list of rows, otherwise it may scroll, by keyboard as well. */
export function Table({ label, columns, rows }: TableProps) {
  return (
    <section class="wide" tabindex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(([title, kind]) => (
              <th scope="col" class={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td class={columns[index + 1]?.[1]} data-column={columns[index + 1]?.[0]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

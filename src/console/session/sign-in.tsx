import type { Child } from 'hono/jsx';
import { Fields, Hidden } from '../frame/form.tsx';
import { Button, Notice } from '../frame/parts.tsx';
import { type Language, TEXTS } from '../texts/texts.ts';
import type { Guest, Page } from '../visit.ts';

/** Where signing in leads, and the fields of a form that was sent there without a session. */
interface Destination {
  readonly to: string;
  readonly typed?: URLSearchParams | null;
}

/** Fields that are never repeated in a page. */
const SECRET = /password|code|token/;

/** Prefix of the fields in which this form carries another form's fields. */
const CARRIED = 'typed.';

interface Given extends Destination {
  readonly account?: string;
  readonly name?: string;
}

type Failure = 'wrong' | 'wrongCode' | 'limited';

export function signInPage({ language }: Guest, given: Given, failure?: Failure): Page {
  const texts = TEXTS[language].session;
  const { account = '', name = '', typed = null } = given;
  const hasExpired = typed !== null && failure === undefined;
  return {
    ...formPage(language, texts.signIn, given, failure, {
      fields: {
        account: {
          ...{ required: true, autocomplete: 'organization', autocapitalize: 'characters' },
          autofocus: account === '',
        },
        name: { autocomplete: 'username' },
        password: { type: 'password', required: true, autocomplete: 'current-password' },
      },
      values: { account, name },
      below: (
        <p class="small muted">
          {texts.forPrograms} <a href="/docs">{texts.apiReference}</a>
        </p>
      ),
    }),
    ...(hasExpired && { notice: <Notice kind="warn">{texts.expired}</Notice> }),
  };
}

/** The form for the code of somebody whose password was right. */
export function codePage({ language }: Guest, token: string, destination: Destination, failure?: Failure): Page {
  return formPage(language, TEXTS[language].session.enterCode, destination, failure, {
    fields: { code: { inputmode: 'numeric', autocomplete: 'one-time-code', required: true, autofocus: true } },
    below: null,
    token,
  });
}

function formPage(
  language: Language,
  title: string,
  { to, typed = null }: Destination,
  failure: Failure | undefined,
  form: Pick<Parameters<typeof Fields>[0], 'fields' | 'values'> & { readonly below: Child; readonly token?: string },
): Page {
  const texts = TEXTS[language].session;
  const carried = [...(typed ?? [])].filter(([name]) => !SECRET.test(name));
  return {
    title,
    notice: failure && <Notice kind="bad">{texts[failure]}</Notice>,
    content: [
      <form method="post" action="/sign-in" class="stack close">
        <Hidden values={{ to, ...(form.token !== undefined && { token: form.token }) }} />
        <Hidden values={carried.map(([name, value]) => [CARRIED + name, value])} />
        <Fields fields={form.fields} texts={texts as never} values={form.values} />
        <Button kind="primary" text={texts.signIn} />
      </form>,
      form.below,
    ],
  };
}

/** After signing in: what was typed before the session expired, to be sent again. */
export function resumePage({ language }: Guest, { to, typed }: Destination): Page {
  const texts = TEXTS[language].session;
  return {
    title: texts.resumeTitle,
    content: (
      <form method="post" action={to} class="stack close">
        <p>{texts.resume}</p>
        <Hidden values={typed ?? []} />
        <Button kind="primary" text={texts.goOn} />
        <a href={to.split('?')[0]}>{texts.discard}</a>
      </form>
    ),
  };
}

/** The fields that a form to sign in carries; `null` if it carries none. */
export function carriedFields(fields: URLSearchParams): URLSearchParams | null {
  const carried = [...fields].filter(([name]) => name.startsWith(CARRIED));
  if (carried.length === 0) return null;
  return new URLSearchParams(carried.map(([name, value]) => [name.slice(CARRIED.length), value]));
}

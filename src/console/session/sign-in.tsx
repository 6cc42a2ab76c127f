import type { Child } from 'hono/jsx';
import { Fields, Hidden } from '../frame/form.tsx';
import { Button, Notice } from '../frame/parts.tsx';
import type { Language } from '../texts/language.ts';
import { textsOf } from '../texts/texts.ts';
import { type Guest, type Page, UNSENT } from '../visit.ts';

/** Where signing in leads, and the fields of a form that was sent there without a session, if they can be sent again. */
interface Destination {
  readonly to: string;
  readonly typed?: URLSearchParams | null;
}

/** Fields that no page repeats: a form that has them must be filled in again. */
const SECRETS = ['current', 'password', 'secret', 'code', 'token'];

/** Prefix of the fields in which this form carries another form's fields. */
const CARRIED = 'typed.';

interface Given extends Destination {
  readonly account?: string;
  readonly name?: string;
}

/** What is said first: why signing in has failed, or that a form was sent without a session, and whether it is kept. */
type Message = 'wrong' | 'wrongCode' | 'codeExpired' | 'limited' | 'expired' | 'expiredUnsaved';

export function signInPage({ language }: Guest, given: Given, message?: Message): Page {
  const texts = textsOf({ language }, 'session');
  const { account = '', name = '' } = given;
  const isKnown = account !== '';
  const fields = {
    account: {
      required: true,
      autocomplete: 'organization',
      autocapitalize: 'characters',
      autofocus: !isKnown,
    },
    name: { autocomplete: 'username' },
    password: {
      type: 'password',
      required: true,
      autocomplete: 'current-password',
      autofocus: isKnown,
    },
  } as const;
  return formPage(language, texts.signIn, given, message, {
    fields,
    values: { account, name },
    below: (
      <>
        <details>
          <summary>{texts.noPassword}</summary>
          <p class="muted">{texts.noPasswordWhy}</p>
        </details>
        <p class="small muted">
          {texts.forPrograms} <a href="/docs">{texts.apiReference}</a>
        </p>
      </>
    ),
  });
}

/** The form for the code of somebody whose password was right. */
export function codePage(
  { language }: Guest,
  token: string,
  destination: Destination,
  message?: Message,
): Page {
  return formPage(language, textsOf({ language }, 'session').enterCode, destination, message, {
    fields: {
      code: {
        autocomplete: 'one-time-code',
        required: true,
        autofocus: true,
      },
    },
    below: null,
    token,
  });
}

function formPage(
  language: Language,
  title: string,
  { to, typed = null }: Destination,
  message: Message | undefined,
  form: Pick<Parameters<typeof Fields>[0], 'fields' | 'values'> & {
    readonly below: Child;
    readonly token?: string;
  },
): Page {
  const texts = textsOf({ language }, 'session');
  return {
    title,
    notice: message && (
      <Notice kind={message.startsWith('expired') ? 'warn' : 'bad'}>{texts[message]}</Notice>
    ),
    content: (
      <>
        <form method="post" action="/sign-in" class="stack close">
          <Hidden values={{ to, ...(form.token !== undefined && { token: form.token }) }} />
          <Hidden values={[...(typed ?? [])].map(([name, value]) => [CARRIED + name, value])} />
          <Fields form={UNSENT} fields={form.fields} texts={texts as never} values={form.values} />
          <Button kind="primary" text={texts.signIn} />
        </form>
        {form.below}
      </>
    ),
  };
}

/** Whether a form can be carried by this one: not if it has secrets, which no page repeats. */
export function isCarriable(fields: URLSearchParams): boolean {
  return !SECRETS.some((name) => fields.has(name));
}

/** After signing in: what was typed before the session expired, to be sent again. */
export function resumePage({ language }: Guest, { to, typed }: Destination): Page {
  const texts = textsOf({ language }, 'session');
  return {
    title: texts.resumeTitle,
    content: (
      <form method="post" action={to} class="stack close">
        <p>{texts.resume}</p>
        <Hidden values={typed ?? []} />
        <Button kind="primary" text={texts.goOn} />
        <a href={to}>{texts.discard}</a>
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

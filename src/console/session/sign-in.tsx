import { Fields } from '../frame/fields.tsx';
import { Hidden } from '../frame/form.tsx';
import { Button, Notice } from '../frame/parts.tsx';
import { type Language, SESSION } from '../texts/texts.ts';
import type { Guest, Page } from '../visit.ts';

/** Where signing in leads, and the fields of a form that was sent there without a session. */
export interface Destination {
  readonly to: string;
  readonly typed?: URLSearchParams | null;
}

/** Fields that are never repeated in a page. */
const SECRET = /password|code|token/;

/** Of the fields of this form, in which those of another are carried. */
const CARRIED = 'typed.';

interface Given extends Destination {
  readonly account?: string;
  readonly name?: string;
}

type Failure = 'wrong' | 'wrongCode' | 'limited';

/** The form to sign in. */
export function signInPage({ language }: Guest, given: Given, failure?: Failure): Page {
  const texts = SESSION[language];
  const { account = '', name = '', typed = null } = given;
  const hasExpired = typed !== null && failure === undefined;
  return {
    title: texts.signIn,
    isBare: true,
    notice: hasExpired ? <Notice kind="warn">{texts.expired}</Notice> : noticeOf(failure, language),
    content: (
      <div class="stack">
        <form method="post" action="/sign-in" class="stack close">
          <Carried destination={given} />
          <Fields
            fields={{
              account: {
                ...{ required: true, autocomplete: 'organization', autocapitalize: 'characters' },
                autofocus: account === '',
              },
              name: { autocomplete: 'username' },
              password: { type: 'password', required: true, autocomplete: 'current-password' },
            }}
            texts={texts}
            values={{ account, name }}
          />
          <Button kind="primary">{texts.signIn}</Button>
        </form>
        <p class="small muted">
          {texts.forPrograms} <a href="/docs">{texts.apiReference}</a>
        </p>
      </div>
    ),
  };
}

function noticeOf(failure: Failure | undefined, language: Language) {
  return failure && <Notice kind="bad">{SESSION[language][failure]}</Notice>;
}

/** The form for the code of somebody whose password was right. */
export function codePage({ language }: Guest, token: string, destination: Destination, failure?: Failure): Page {
  const texts = SESSION[language];
  return {
    title: texts.enterCode,
    isBare: true,
    notice: noticeOf(failure, language),
    content: (
      <form method="post" action="/sign-in" class="stack close">
        <Carried destination={destination} />
        <Hidden values={{ token }} />
        <Fields
          fields={{ code: { inputmode: 'numeric', autocomplete: 'one-time-code', required: true, autofocus: true } }}
          texts={texts}
        />
        <Button kind="primary">{texts.signIn}</Button>
      </form>
    ),
  };
}

/** After signing in: what was typed before the session expired, to be sent again. */
export function resumePage({ language }: Guest, { to, typed }: Destination): Page {
  const texts = SESSION[language];
  return {
    title: texts.resumeTitle,
    isBare: true,
    content: (
      <form method="post" action={to} class="stack close">
        <p>{texts.resume}</p>
        {[...(typed ?? [])].map(([name, value]) => (
          <Hidden values={{ [name]: value }} />
        ))}
        <Button kind="primary">{texts.goOn}</Button>
        <a href={to.split('?')[0]}>{texts.discard}</a>
      </form>
    ),
  };
}

/** The destination in the fields of a form. */
function Carried({ destination: { to, typed = null } }: { readonly destination: Destination }) {
  const carried = [...(typed ?? [])].filter(([name]) => !SECRET.test(name));
  return (
    <>
      <Hidden values={{ to }} />
      {carried.map(([name, value]) => (
        <Hidden values={{ [CARRIED + name]: value }} />
      ))}
    </>
  );
}

/** The fields that a form to sign in carries; `null` if it carries none. */
export function carriedFields(fields: URLSearchParams): URLSearchParams | null {
  const carried = [...fields].filter(([name]) => name.startsWith(CARRIED));
  if (carried.length === 0) return null;
  return new URLSearchParams(carried.map(([name, value]) => [name.slice(CARRIED.length), value]));
}

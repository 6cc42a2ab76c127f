import { type Guest, Notice, type Page } from '../page.tsx';

/** The form to sign in, and what the service is for those who see it for the first time. */
export function signInPage(
  { texts }: Guest,
  given: { readonly account?: string; readonly to: string },
  failure?: 'wrongCredentials' | 'limited',
): Page {
  const { account = '', to } = given;
  return {
    title: texts.signIn,
    content: (
      <>
        {failure && <Notice kind="bad">{texts[failure]}</Notice>}
        <form method="post" action="/sign-in" class="card">
          <input type="hidden" name="to" value={to} />
          <label>
            {texts.account}
            <input name="account" required autocomplete="username" autocapitalize="characters" value={account} />
          </label>
          <label>
            {texts.password}
            <input name="password" type="password" required autocomplete="current-password" />
          </label>
          <button type="submit">{texts.signIn}</button>
        </form>
        <p>{texts.newcomer}</p>
        <ul>
          <li>
            <code>{'GET /CreateXMLFeedV3.asp?U=OWNPROPERTIES@{account}&P={password}&FV=3'}</code>
          </li>
          <li>
            <code>{'GET /kyero.xml?U=OWNPROPERTIES@{account}&P={password}'}</code>
          </li>
          <li>
            <code>{'POST /v1/developments/{development}/units/update-by-name'}</code>
          </li>
          <li>
            <a href="/docs">{texts.documentation}</a> · <a href="/openapi.json">OpenAPI</a> ·{' '}
            <a href="/schemas/feed-v3.xsd">XML Schema</a>
          </li>
        </ul>
      </>
    ),
  };
}

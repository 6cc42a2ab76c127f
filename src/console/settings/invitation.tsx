import type { Context } from 'hono';
import { recordActivity } from '../../accounts/activity.ts';
import { environmentFor, writableEnvironmentFor } from '../../accounts/environments.ts';
import { acceptInvitation, findInvited } from '../../accounts/people.ts';
import type { AppEnv } from '../../env.ts';
import { hashPassword, sha256Hex } from '../../lib/secrets/secrets.ts';
import { checkLimitedByAddress, retryAfter } from '../../rate-limits.ts';
import { Fields } from '../frame/form.tsx';
import { Button } from '../frame/parts.tsx';
import { failurePage, guestOf, readForm, respond } from '../pages.tsx';
import { withQuery } from '../paths.ts';
import { textsOf } from '../texts/texts.ts';
import { UNSENT } from '../visit.ts';
import { isPassword, NEW, passwordLabels } from './password.ts';

/** An invitation: whoever has its link chooses a password, and is led to the form to sign in. */
export async function invitation(c: Context<AppEnv>): Promise<Response> {
  const guest = guestOf(c);
  const texts = textsOf(guest, 'settings');
  const sent = c.req.method === 'POST' ? await readForm(c) : null;
  const { account = '', token = '' } = c.req.query();
  const lookUp = sent === null ? environmentFor : writableEnvironmentFor;
  const digest = sha256Hex(token);
  const content = <p>{texts.invitationGoneWhy}</p>;
  const gone = () => respond(guest, { title: texts.invitationGone, status: 410, content });
  const verdict = await checkLimitedByAddress(c.env, c.req.raw, async () => {
    const { DB } = await lookUp(c.env, { kind: 'account', name: account }, 0);
    const invited = await findInvited(DB, digest);
    return invited === null
      ? ({ kind: 'denied' } as const)
      : ({ kind: 'invited', DB, invited } as const);
  });
  if (verdict.kind === 'denied') return gone();
  if (verdict.kind === 'too many attempts')
    return failurePage(c, 429, textsOf(guest, 'session').limited, {
      'Retry-After': String(retryAfter(c.req.raw)),
    });
  const { DB } = verdict;
  const { name, accountId } = verdict.invited;
  const password = sent?.get('password') ?? '';
  if (isPassword(password)) {
    if (!(await acceptInvitation(DB, digest, await hashPassword(password)))) return gone();
    await recordActivity(DB, accountId, { person: name, action: 'person.joined', subject: '' });
    return c.redirect(withQuery('/', { account, name }), 303);
  }
  return respond(guest, {
    title: texts.choosePassword({ name }),
    status: sent === null ? 200 : 422,
    content: (
      <form method="post" class="stack close">
        <Fields
          form={sent === null ? UNSENT : { errors: { password: texts.passwordShort } }}
          fields={{ password: NEW }}
          texts={passwordLabels(texts)}
        />
        <Button kind="primary" text={texts.choose} />
      </form>
    ),
  });
}

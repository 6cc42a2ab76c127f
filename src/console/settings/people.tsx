import type { Context } from 'hono';
import { recordActivity } from '../../db/accounts/activity.ts';
import {
  acceptInvitation,
  findInvited,
  findPerson,
  invite,
  MAX_PERSON_NAME,
  ROLES,
  type Role,
  removePerson,
  setRole,
} from '../../db/accounts/people.ts';
import type { AppEnv } from '../../env.ts';
import { hashPassword, sha256Hex } from '../../lib/secrets/secrets.ts';
import { Hidden } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Copyable, Notice } from '../frame/parts.tsx';
import { guestOf, notFoundPage, readForm, readGuestForm, recordDone } from '../guards.tsx';
import { respond } from '../respond.tsx';
import { SETTINGS } from '../texts/texts.ts';
import type { Guest, Page, Visitor } from '../visit.ts';
import { showSettings } from './page.tsx';
import { isPassword, NewPassword } from './password.tsx';

/** Invites somebody, changes a role, or removes somebody. */
export async function changePeople(c: Context<AppEnv>, visitor: Visitor): Promise<Page | Response> {
  const { account, language } = visitor;
  const texts = SETTINGS[language];
  const { DB } = c.env;
  const fields = await readForm(c);
  const role = ROLES.find((known) => known === fields.get('role'));
  if (role === undefined) return notFoundPage(visitor);
  if (fields.get('do') === 'invite') return inviteSomebody(c, visitor, (fields.get('name') ?? '').trim(), role);
  const id = Number(fields.get('person'));
  const person = Number.isSafeInteger(id) ? await findPerson(DB, account.id, id) : null;
  if (person === null) return notFoundPage(visitor);
  const isRemoval = fields.get('do') === 'remove';
  const changing = isRemoval ? removePerson(DB, account.id, id) : setRole(DB, account.id, id, role);
  if (!(await changing)) {
    return showSettings(c, visitor, { notice: <Notice kind="bad">{texts.lastOwner}</Notice> });
  }
  await recordDone(c, visitor, isRemoval ? 'person.removed' : 'person.changed', person.name);
  return c.redirect('/settings', 303);
}

async function inviteSomebody(c: Context<AppEnv>, visitor: Visitor, name: string, role: Role): Promise<Page> {
  const { account, language, now } = visitor;
  const texts = SETTINGS[language];
  if (name === '' || name.length > MAX_PERSON_NAME) {
    return showSettings(c, visitor, { nameError: texts.nameInvalid });
  }
  const token = await invite(c.env.DB, account.id, { name, role }, now);
  await recordDone(c, visitor, 'person.invited', name);
  return {
    title: texts.linkTitle({ name }),
    lead: texts.linkLead,
    crumbs: [[texts.title, '/settings']],
    content: (
      <Card title={texts.invite}>
        <div class="stack close">
          <Copyable id="link" text={`${new URL(c.req.url).origin}/invitation?token=${token}`} />
          <p>
            <ButtonLink href="/settings">{texts.title}</ButtonLink>
          </p>
        </div>
      </Card>
    ),
  };
}

/** The page of an invitation: whoever has its link chooses a password. */
export async function showInvitation(c: Context<AppEnv>): Promise<Response> {
  const guest = guestOf(c);
  const token = c.req.query('token') ?? '';
  const invited = await findInvited(c.env.DB, sha256Hex(token));
  return respond(c, guest, invited === null ? gonePage(guest) : choosePage(guest, token, invited.person.name));
}

/** Sets the password of whoever was invited, and leads to the form to sign in. */
export async function postInvitation(c: Context<AppEnv>): Promise<Response> {
  const guest = guestOf(c);
  const { token = '', password = '' } = Object.fromEntries(await readGuestForm(c));
  const digest = sha256Hex(token);
  const invited = await findInvited(c.env.DB, digest);
  if (invited === null) return respond(c, guest, gonePage(guest));
  const { person } = invited;
  if (!isPassword(password)) {
    const error = SETTINGS[guest.language].passwordShort;
    return respond(c, guest, { ...choosePage(guest, token, person.name, error), status: 422 });
  }
  const accepting = acceptInvitation(c.env.DB, digest, await hashPassword(password));
  if (!(await accepting)) return respond(c, guest, gonePage(guest));
  const entry = { person: person.name, action: 'person.joined', subject: '' };
  await recordActivity(c.env.DB, person.accountId, entry);
  return c.redirect('/', 303);
}

function gonePage({ language }: Guest): Page {
  const texts = SETTINGS[language];
  return { title: texts.invitationGone, isBare: true, status: 410, content: <p>{texts.invitationGoneWhy}</p> };
}

function choosePage({ language }: Guest, token: string, name: string, error?: string): Page {
  const texts = SETTINGS[language];
  return {
    title: texts.choosePassword({ name }),
    isBare: true,
    content: (
      <form method="post" action="/invitation" class="stack close">
        <Hidden values={{ token }} />
        <NewPassword error={error} />
        <Button kind="primary">{texts.choose}</Button>
      </form>
    ),
  };
}

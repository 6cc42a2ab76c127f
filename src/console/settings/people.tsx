import type { Context } from 'hono';
import { recordActivity } from '../../db/accounts/activity.ts';
import { acceptInvitation, findInvited, type Person } from '../../db/accounts/people.ts';
import type { AppEnv } from '../../env.ts';
import { hashPassword, sha256Hex } from '../../lib/secrets/secrets.ts';
import { formatDay } from '../format.tsx';
import { ButtonForm, Fields } from '../frame/fields.tsx';
import { Hidden, OptionList } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Chip, Copyable } from '../frame/parts.tsx';
import { TableCard } from '../frame/table.tsx';
import { guestOf, may, readGuestForm, respond } from '../guards.tsx';
import { SETTINGS } from '../texts/texts.ts';
import { type Guest, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { isPassword, NEW_PASSWORD } from './passwords.tsx';

/** Who has a sign-in of their own, with what an owner can change. */
export function People({ people }: { readonly people: readonly Person[] }) {
  const visitor = useVisitor();
  const { texts: common, language, now } = visitor;
  const texts = useTexts(SETTINGS);
  const stateOf = ({ password, invitationExpiresAt: until }: Person) => {
    if (password !== null) return <Chip tone="good">{texts.active}</Chip>;
    return until !== null && until > now ? texts.invitedUntil({ day: formatDay(until, now, language) }) : texts.expired;
  };
  return (
    <TableCard
      title={texts.people}
      none={{ icon: 'info', text: texts.noPeople, why: texts.noPeopleWhy }}
      columns={[[texts.name], [texts.role], [texts.state], ['']]}
      rows={people.map((person) => [
        <b>{person.name}</b>,
        common.roles[person.role],
        stateOf(person),
        may(visitor, 'owner') && (
          <ButtonForm
            action="/settings"
            buttons={[
              ['role', texts.change],
              ['remove', texts.remove, 'danger'],
            ]}
          >
            <Hidden values={{ person: String(person.id) }} />
            <select name="role" aria-label={`${texts.role}, ${person.name}`}>
              <OptionList value={person.role} options={Object.entries(common.roles)} />
            </select>
          </ButtonForm>
        ),
      ])}
    />
  );
}

/** The link with which somebody chooses a password; this page alone shows it. */
export function linkPage({ language }: Visitor, name: string, link: string): Page {
  const texts = SETTINGS[language];
  return {
    title: texts.linkTitle({ name }),
    lead: texts.linkLead,
    content: (
      <Card title={texts.invite}>
        <Copyable id="link" text={link} />
        <ButtonLink href="/settings">{texts.title}</ButtonLink>
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
  const { name, accountId } = invited.person;
  if (!isPassword(password)) {
    return respond(c, guest, choosePage(guest, token, name, SETTINGS[guest.language].passwordShort));
  }
  const isAccepted = await acceptInvitation(c.env.DB, digest, await hashPassword(password));
  if (!isAccepted) return respond(c, guest, gonePage(guest));
  await recordActivity(c.env.DB, accountId, { person: name, action: 'person.joined', subject: '' });
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
    status: error === undefined ? 200 : 422,
    content: (
      <form method="post" action="/invitation" class="stack close">
        <Hidden values={{ token }} />
        <Fields
          fields={{ password: NEW_PASSWORD }}
          texts={{ password: texts.newPassword, passwordHint: texts.passwordHint }}
          errors={{ password: error }}
        />
        <Button kind="primary">{texts.choose}</Button>
      </form>
    ),
  };
}

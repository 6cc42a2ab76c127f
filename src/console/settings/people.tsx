import * as people from '../../accounts/people.ts';
import { type Done, definePage, type Refusal } from '../define-page.tsx';
import { formatDay } from '../format.ts';
import { ButtonForm, CellInput, FormCard, Hidden, Sure } from '../frame/form.tsx';
import { Chip, TableCard } from '../frame/parts.tsx';
import { showOnce } from '../once/once.ts';
import { textsOf } from '../texts/texts.ts';
import { useTexts, useVisitor, type Visitor } from '../visit.ts';

const PATH = '/settings';

/** Who has their own sign-in. An owner invites people, changes their roles, and removes them. */
export const peoplePage = definePage({
  find: ({ db, account }) => people.listPeople(db, account.id),
  show: (visitor, everybody, form) => {
    const { isOwner, common } = visitor;
    const texts = textsOf(visitor, 'settings');
    const name = { required: true, maxlength: people.MAX_PERSON_NAME, autocomplete: 'off' };
    const count = everybody.filter(({ password }) => password !== null).length;
    return {
      title: texts.peopleTitle({ count }),
      lead: count === 0 ? texts.noPeopleWhy : texts.peopleLead,
      content: (
        <>
          {everybody.length > 0 && <People people={everybody} />}
          {isOwner && (
            <FormCard
              form={form}
              title={texts.invite}
              does="invite"
              submit={texts.createLink}
              fields={{ name, role: { options: Object.entries(common.roles) } }}
              texts={{ ...texts, roleHint: texts.rolesHint }}
              values={{ role: 'editor' }}
            />
          )}
        </>
      ),
    };
  },
  actions: {
    invite: async (visitor, _everybody, fields) => {
      const { c, db, account, now } = visitor;
      const texts = textsOf(visitor, 'settings');
      const name = (fields.get('name') ?? '').trim();
      const role = roleIn(fields);
      if (name === '' || name.length > people.MAX_PERSON_NAME || role === undefined)
        return { errors: { name: texts.nameInvalid } };
      const token = await people.invite(db, account.id, { name, role }, now);
      if (token === null) return { why: texts.lastOwner };
      const { origin } = new URL(c.req.url);
      const link = `${origin}/invitation?account=${account.code}&token=${token}`;
      const next = await showOnce(visitor, { kind: 'invitation', name, link });
      return { did: 'person.invited', with: name, next };
    },
    role: async (visitor, everybody, fields) => {
      const role = roleIn(fields);
      if (role === undefined) return null;
      return changePerson(visitor, everybody, fields, 'person.changed', (db, account, id) =>
        people.setRole(db, account, id, role),
      );
    },
    delete: (visitor, everybody, fields) =>
      changePerson(visitor, everybody, fields, 'person.removed', people.removePerson),
  },
});

function roleIn(fields: URLSearchParams) {
  return people.ROLES.find((role) => role === fields.get('role'));
}

/** Changes the person that a form names, unless no owner would remain. */
async function changePerson(
  visitor: Visitor,
  everybody: readonly people.Person[],
  fields: URLSearchParams,
  did: string,
  change: typeof people.removePerson,
): Promise<Done | Refusal | null> {
  const { db, account, common } = visitor;
  const person = everybody.find(({ id }) => String(id) === fields.get('person'));
  if (person === undefined) return null;
  if ((fields.get('was') ?? person.role) !== person.role)
    return { why: common.conflict, status: 412 };
  const after = fields.get('role');
  const details = after === null ? [] : [['role', person.role, after] as const];
  if (await change(db, account.id, person.id))
    return { did, with: person.name, next: PATH, details };
  return { why: textsOf(visitor, 'settings').lastOwner };
}

function People({ people }: { readonly people: readonly people.Person[] }) {
  const { isOwner, common } = useVisitor();
  const texts = useTexts('settings');
  return (
    <TableCard
      title={texts.sections.people}
      columns={[
        texts.name,
        texts.role,
        texts.state,
        ...(isOwner ? [{ hidden: texts.change }] : []),
      ]}
      rows={people.map((person) => [
        <b>{person.name}</b>,
        isOwner ? <RoleForm person={person} /> : common.roles[person.role],
        <State person={person} />,
        ...(isOwner ? [<Removal person={person} />] : []),
      ])}
    />
  );
}

interface OfPerson {
  readonly person: people.Person;
}

function State({ person: { password, invitationExpiresAt: until } }: OfPerson) {
  const visitor = useVisitor();
  const texts = useTexts('settings');
  if (password !== null) return <Chip tone="good">{texts.active}</Chip>;
  return until !== null && until > visitor.now ? (
    <Chip tone="info">{texts.invitedUntil({ day: formatDay(until, visitor) })}</Chip>
  ) : (
    <Chip>{texts.expired}</Chip>
  );
}

function RoleForm({ person: { id, name, role } }: OfPerson) {
  const { common } = useVisitor();
  const texts = useTexts('settings');
  return (
    <ButtonForm buttons={[{ does: 'role', text: texts.change }]}>
      <Hidden values={{ person: String(id), was: role }} />
      <CellInput
        name="role"
        label={`${texts.role}, ${name}`}
        value={role}
        options={Object.entries(common.roles)}
      />
    </ButtonForm>
  );
}

function Removal({ person: { id, name } }: OfPerson) {
  const texts = useTexts('settings');
  return (
    <details>
      <summary>{texts.remove}</summary>
      <ButtonForm
        buttons={[{ does: 'delete', text: texts.removePerson({ name }), kind: 'danger' }]}
      >
        <Hidden values={{ person: String(id) }} />
        <Sure />
      </ButtonForm>
    </details>
  );
}

import { writeThenInvalidate } from '../../feed/invalidation/invalidate.ts';
import { mergeInto } from '../../properties/api/own-names.ts';
import { deleteName, type OwnName, readOwnNames } from '../../properties/store/own-names.ts';
import { type Action, type Done, definePage, type Refusal } from '../define-page.tsx';
import { formatNumber } from '../format.ts';
import { FormCard, type Options, Sure } from '../frame/form.tsx';
import { TableCard } from '../frame/parts.tsx';
import { textsOf } from '../texts/texts.ts';
import { actorOf, type FormState, type Page, type Visitor } from '../visit.ts';

const PATH = '/settings/names';

/** The names of types and features that only this agency has: a typing error is merged into the right one, or deleted. */
export const ownNames = definePage({
  find: ({ db, account }) => readOwnNames(db, account.id),
  show: namesPage,
  actions: {
    merge: withChosen('name', async (visitor, name, fields) => {
      const { c, db } = visitor;
      const texts = textsOf(visitor, 'names');
      const into = (fields.get('into') ?? '').trim().normalize('NFC');
      const merging = mergeInto(db, name, into, actorOf(visitor));
      const merged = await writeThenInvalidate(c, name.accountId, merging);
      if (!('why' in merged)) {
        const values = { name: name.code, into: merged.into, count: merged.properties };
        const flash = { messages: [{ code: 'namesMerged' as const, values }] };
        const details = [['into', name.code, merged.into] as const];
        return { did: 'name.merged', with: name.code, next: PATH, flash, details };
      }
      if (merged.why === 'missing') return { errors: { name: texts.gone } };
      if (merged.why !== 'in_use') return { errors: { into: texts.unknownInto } };
      if (merged.readers.length === 0) return { why: texts.inUse, status: 409 };
      return { errors: { name: texts.ruled({ portals: merged.readers.join(', ') }) } };
    }),
    delete: withChosen('unused', async (visitor, name) => {
      const { c, db } = visitor;
      if (await writeThenInvalidate(c, name.accountId, deleteName(db, name)))
        return { did: 'name.deleted', with: name.code, next: PATH };
      return { errors: { unused: textsOf(visitor, 'names').inUse } };
    }),
  },
});

type Names = readonly OwnName[];
type Chosen = Pick<OwnName, 'kind' | 'code'> & { readonly accountId: number };

/** An action with the name that a field has chosen. */
function withChosen(
  field: 'name' | 'unused',
  run: (visitor: Visitor, name: Chosen, fields: URLSearchParams) => Promise<Done | Refusal>,
): Action<Names> {
  return async (visitor, names, fields) => {
    const chosen = names.find((one) => keyOf(one) === fields.get(field));
    if (chosen === undefined) return { errors: { [field]: textsOf(visitor, 'names').gone } };
    const { kind, code } = chosen;
    return run(visitor, { accountId: visitor.account.id, kind, code }, fields);
  };
}

/** The value of a name in a choice. */
function keyOf({ kind, code }: OwnName): string {
  return `${kind}:${code}`;
}

function namesPage(visitor: Visitor, names: Names, form: FormState): Page {
  const { isEditor, language } = visitor;
  const texts = textsOf(visitor, 'names');
  const optionsOf = (all: Names): Options =>
    all.map((one) => [keyOf(one), `${one.code} (${texts.kinds[one.kind]})`]);
  const unused = names.filter(({ properties }) => properties === 0);
  return {
    title: texts.title({ count: names.length }),
    lead: texts.lead,
    content: (
      <>
        {names.length > 0 && (
          <TableCard
            title={textsOf(visitor, 'settings').sections.names}
            columns={[texts.name, texts.kind, { numbers: texts.properties }]}
            rows={names.map(({ kind, code, properties }) => [
              <b>{code}</b>,
              texts.kinds[kind],
              formatNumber(properties, language),
            ])}
          />
        )}
        {isEditor && names.length > 0 && (
          <FormCard
            form={form}
            title={texts.merge}
            does="merge"
            submit={texts.merge}
            fields={{
              name: { options: optionsOf(names) },
              into: { required: true, maxlength: 200, autocomplete: 'off' },
            }}
            texts={texts}
          />
        )}
        {isEditor && unused.length > 0 && (
          <FormCard
            form={form}
            title={texts.delete}
            does="delete"
            kind="danger"
            submit={texts.delete}
            fields={{ unused: { options: optionsOf(unused) } }}
            texts={texts}
          >
            <Sure />
          </FormCard>
        )}
      </>
    ),
  };
}

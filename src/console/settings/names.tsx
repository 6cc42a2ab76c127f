import { writeThenInvalidate } from '../../feed/invalidation/invalidate.ts';
import { mergeInto } from '../../properties/api/own-names.ts';
import { deleteName, type OwnName, readOwnNames } from '../../properties/store/own-names.ts';
import { definePage } from '../define-page.tsx';
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
    merge: async (visitor, names, fields) => {
      const { c, db, account } = visitor;
      const texts = textsOf(visitor, 'names');
      const chosen = chosenIn(names, fields.get('name'));
      if (chosen === undefined) return { errors: { name: texts.gone } };
      const into = (fields.get('into') ?? '').trim().normalize('NFC');
      const name = { accountId: account.id, kind: chosen.kind, code: chosen.code };
      const merging = mergeInto(db, name, into, actorOf(visitor));
      const merged = await writeThenInvalidate(c, account.id, merging);
      if (!('why' in merged)) {
        const values = { name: chosen.code, into: merged.into, count: merged.properties };
        const flash = { messages: [{ code: 'namesMerged' as const, values }] };
        const details = [['into', chosen.code, merged.into] as const];
        return { did: 'name.merged', with: chosen.code, next: PATH, flash, details };
      }
      if (merged.why === 'missing') return { errors: { name: texts.gone } };
      if (merged.why !== 'in_use') return { errors: { into: texts.unknownInto } };
      if (merged.readers.length === 0) return { why: texts.inUse, status: 409 };
      return { errors: { name: texts.ruled({ portals: merged.readers.join(', ') }) } };
    },
    delete: async (visitor, names, fields) => {
      const { c, db, account } = visitor;
      const texts = textsOf(visitor, 'names');
      const chosen = chosenIn(names, fields.get('unused'));
      if (chosen === undefined) return { errors: { unused: texts.gone } };
      const name = { accountId: account.id, kind: chosen.kind, code: chosen.code };
      const isGone = await writeThenInvalidate(c, account.id, deleteName(db, name));
      if (!isGone) return { errors: { unused: texts.inUse } };
      return { did: 'name.deleted', with: chosen.code, next: PATH };
    },
  },
});

/** The value of a name in a choice. */
function keyOf({ kind, code }: OwnName): string {
  return `${kind}:${code}`;
}

function chosenIn(names: readonly OwnName[], key: string | null): OwnName | undefined {
  return names.find((one) => keyOf(one) === key);
}

function namesPage(visitor: Visitor, names: readonly OwnName[], form: FormState): Page {
  const { isEditor, language } = visitor;
  const texts = textsOf(visitor, 'names');
  const optionsOf = (all: readonly OwnName[]): Options =>
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

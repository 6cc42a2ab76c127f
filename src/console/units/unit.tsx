import { writeProperties } from '../../properties/api/write.ts';
import { DEFAULT_CURRENCY } from '../../properties/documents.ts';
import { findByReference } from '../../properties/store/references.ts';
import { findDevelopment, removeUnit } from '../../units/developments.ts';
import { readUnit, unitProperties } from '../../units/units.ts';
import { removing } from '../../units/update.ts';
import { type Done, definePage, type Refusal } from '../define-page.tsx';
import { SAVED } from '../flash.tsx';
import { Deletion, FormCard, Hidden } from '../frame/form.tsx';
import { Ago, ButtonLink, Card, Item, Notice } from '../frame/parts.tsx';
import { ChangesCard, unitChange } from '../home/changes.tsx';
import { propertyPath, unitPath, unitsPath, withQuery } from '../paths.ts';
import { loadProperty } from '../properties/property.ts';
import { asSentence, COMPASS_POINTS, textOf, textsOf } from '../texts/texts.ts';
import {
  actorOf,
  type FormState,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import { entriesOf, notesOf, unitActions } from './edit.tsx';
import { codesOf, shownValues, stateOf } from './form.ts';

const SHOWN_CHANGES = 20;

type ShownUnit = NonNullable<Awaited<ReturnType<typeof load>>>;

/** A unit with its history, and its property, if it has one. */
async function load({ c, db, account }: Visitor) {
  const { development = '', name = '' } = c.req.query();
  const address = { accountId: account.id, development, name: name.normalize('NFC') };
  const [existing, found, properties] = await Promise.all([
    findDevelopment(db, account.id, development),
    readUnit(db, address, SHOWN_CHANGES),
    unitProperties(db, account.id, development, address.name),
  ]);
  if (existing === null || found.kind !== 'unit') return null;
  const { unit, history } = found;
  const way = [
    { name: existing.name, href: unitsPath(development) },
    { name: unit.name, href: unitPath(development, unit.name) },
  ];
  return { unit, units: [unit], history, properties, crumbs: way };
}

/** A unit: what was understood of its form is shown before it is saved, and what was saved can be undone. */
export const unit = definePage({
  find: load,
  show: unitPage,
  actions: {
    ...unitActions,
    link,
    delete: async ({ c, db, account, language }, { unit: { development, name, version } }) => {
      const address = { accountId: account.id, development, name };
      const removal = await removing(c, account.id, removeUnit(db, address, [version]));
      const texts = textsOf({ language }, 'units');
      if (removal === 'in use') return { why: texts.unitInUse, status: 409 };
      if (removal === 'changed') return { why: texts.conflict, status: 412 };
      return { did: 'unit.deleted', with: name, next: unitsPath(development) };
    },
  },
});

/** Makes an existing listing that of the unit: the one with a reference. */
async function link(
  visitor: Visitor,
  { unit: { development, name } }: ShownUnit,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const { c, db, account, language, now } = visitor;
  const texts = textsOf(visitor, 'units');
  const reference = (fields.get('listing') ?? '').trim();
  const id = await findByReference(db, account.id, reference);
  if (id === null) return { errors: { listing: texts.noSuchListing } };
  const stored = await loadProperty(visitor, id);
  if (stored?.document.unit) return { errors: { listing: texts.listingOfUnit } };
  const options = { actor: actorOf(visitor), atomic: true, now };
  const patch = { unit: { development, name } };
  const [result] = await writeProperties(c, account.id, [{ op: 'patch', id, patch }], options);
  if (result !== undefined && 'problem' in result) {
    const [error] = result.problem?.errors ?? [];
    return { errors: { listing: error ? asSentence(language, error) : texts.conflict } };
  }
  return { did: 'property.changed', with: id, next: unitPath(development, name), flash: SAVED };
}

function unitPage(visitor: Visitor, subject: ShownUnit, form: FormState): Page {
  const { common } = visitor;
  const texts = textsOf(visitor, 'units');
  const { unit, history, properties, crumbs } = subject;
  const identifier = properties.get(unit.name)?.identifier;
  const currency = properties.get(unit.name)?.currency;
  const { status, price } = stateOf(unit, currency, visitor);
  const { development, name } = unit;
  const of = {
    development,
    developmentName: '',
    name,
    identifier: identifier ?? null,
    currency: currency ?? null,
  };
  const changes = history.map((change) => unitChange({ ...of, ...change }, visitor));
  return {
    title: `${unit.name || '—'}: ${status}, ${price}`,
    lead: (
      <>
        {common.changed} <Ago seconds={unit.changedAt} />
      </>
    ),
    crumbs: crumbs.slice(0, 1),
    content: (
      <div class="columns">
        <div class="stack">
          <Listing shown={subject} form={form} />
          {visitor.isEditor && <UnitForm shown={subject} form={form} />}
          {visitor.isEditor && <Deletion title={texts.deleteUnit} why={texts.deleteUnitWhy} />}
        </div>
        <ChangesCard
          title={texts.changes}
          none={texts.noChanges}
          noneWhy={texts.noChangesWhy}
          changes={changes}
          isOfOne
        />
      </div>
    ),
  };
}

/** The listing that shows a unit in feeds, or that none does, and how to have one. */
function Listing({ shown, form }: { readonly shown: ShownUnit; readonly form: FormState }) {
  const { isEditor } = useVisitor();
  const texts = useTexts('units');
  const { unit, properties } = shown;
  const { development, name } = unit;
  const property = properties.get(name);
  if (property !== undefined) {
    const { identifier, reference, isListed } = property;
    return (
      <Card title={texts.itsListing}>
        <Item
          href={propertyPath(identifier)}
          title={reference}
          note={isListed ? texts.isListed : texts.isWithheld}
        />
      </Card>
    );
  }
  const create = isEditor && (
    <ButtonLink
      href={withQuery('/property/edit', { development, unit: name })}
      kind="primary"
      text={texts.createListing}
    />
  );
  const notice = (
    <Notice kind="warn" actions={create}>
      {texts.unlistedUnit}
    </Notice>
  );
  if (!isEditor) return notice;
  return (
    <>
      {notice}
      <FormCard
        form={form}
        title={texts.itsListing}
        does="link"
        kind={undefined}
        submit={texts.link}
        fields={{ listing: { required: true, autocomplete: 'off' } }}
        texts={{ listing: texts.listingReference, listingHint: texts.listingReferenceHint }}
      />
    </>
  );
}

function UnitForm({ shown, form }: { readonly shown: ShownUnit; readonly form: FormState }) {
  const visitor = useVisitor();
  const { language, common } = visitor;
  const texts = useTexts('units');
  const { unit } = shown;
  const currency = shown.properties.get(unit.name)?.currency ?? DEFAULT_CURRENCY;
  const [entry] = form.typed?.has('price') ? entriesOf([unit], form.typed) : [];
  const { typed, decision } = entry ?? { typed: shownValues(unit, language) };
  const errors = notesOf(decision, stateOf(unit, currency, visitor), visitor);
  const codes = new Set([...COMPASS_POINTS, ...codesOf(unit.directions), ...typed.directions]);
  const options = [...codes].map((code) => [code, textOf(common.compass, code)] as const);
  return (
    <FormCard
      form={{ errors }}
      title={texts.change}
      submit={texts.reviewChanges}
      fields={{
        status: { options: Object.entries(common.unitStatuses) },
        price: { inputmode: 'decimal', required: true, autocomplete: 'off' },
        directions: { type: 'checkbox', options, chosen: typed.directions },
      }}
      texts={{
        ...texts,
        status: common.status,
        price: `${common.price} (${currency})`,
      }}
      values={{ status: typed.status, price: typed.price }}
    >
      <Hidden values={{ version: String(unit.version) }} />
    </FormCard>
  );
}

import { findDevelopment } from '../../units/developments.ts';
import { readUnit, unitProperties } from '../../units/units.ts';
import { definePage } from '../define-page.tsx';
import { FormCard, Hidden } from '../frame/form.tsx';
import { Ago } from '../frame/parts.tsx';
import { ChangesCard, unitChange } from '../home/changes.tsx';
import { propertyPath, unitPath, unitsPath } from '../paths.ts';
import { COMPASS_POINTS, textOf, textsOf } from '../texts/texts.ts';
import { type FormState, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { currencyOf, entriesOf, notesOf, unitActions } from './edit.tsx';
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
export const unit = definePage({ find: load, show: unitPage, actions: unitActions });

function unitPage(visitor: Visitor, subject: ShownUnit, form: FormState): Page {
  const { common } = visitor;
  const texts = textsOf(visitor, 'units');
  const { unit, history, properties, crumbs } = subject;
  const identifier = properties.get(unit.name)?.identifier;
  const currency = currencyOf(subject, unit);
  const { status, price } = stateOf(unit, currency, visitor);
  const { development, name } = unit;
  const of = { development, developmentName: '', name, identifier: identifier ?? null, currency };
  const changes = history.map((change) => unitChange({ ...of, ...change }, visitor));
  return {
    title: `${unit.name || '—'}: ${status}, ${price}`,
    lead: (
      <>
        {common.changed} <Ago seconds={unit.changedAt} />
        {identifier && (
          <>
            {' · '}
            <a href={propertyPath(identifier)}>{texts.property}</a>
          </>
        )}
      </>
    ),
    crumbs: crumbs.slice(0, 1),
    content: (
      <div class="columns">
        {visitor.isEditor && <UnitForm shown={subject} form={form} />}
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

function UnitForm({ shown, form }: { readonly shown: ShownUnit; readonly form: FormState }) {
  const visitor = useVisitor();
  const { language, common } = visitor;
  const texts = useTexts('units');
  const { unit } = shown;
  const currency = currencyOf(shown, unit);
  const [entry] = form.typed?.has('price') ? entriesOf([unit], form.typed) : [];
  const { typed, decision } = entry ?? { typed: shownValues(unit, language) };
  const errors = notesOf(decision, stateOf(unit, currency, visitor), visitor);
  const codes = new Set([...COMPASS_POINTS, ...codesOf(unit.directions), ...typed.directions]);
  const options = [...codes].map((code) => [code, textOf(common.compass, code)] as const);
  return (
    <FormCard
      form={{ errors }}
      title={texts.change}
      submit={texts.check}
      fields={{
        status: { options: Object.entries(common.unitStatuses) },
        price: { inputmode: 'decimal', required: true, autocomplete: 'off' },
        directions: { type: 'checkbox', options, chosen: typed.directions },
      }}
      texts={{
        ...texts,
        status: common.status,
        price: `${common.price}${currency && ` (${currency})`}`,
      }}
      values={{ status: typed.status, price: typed.price }}
    >
      <Hidden values={{ version: String(unit.version) }} />
    </FormCard>
  );
}

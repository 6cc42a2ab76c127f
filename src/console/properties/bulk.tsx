import { propertyTag, writeProperties } from '../../properties/api/write.ts';
import {
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
} from '../../properties/documents.ts';
import { readStored } from '../../properties/store/read.ts';
import { definePage } from '../define-page.tsx';
import { formatMoney, sortedNames } from '../format.ts';
import { Choice, Hidden, Input, type Options } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Chip, Item, Notice, TableCard } from '../frame/parts.tsx';
import { propertyPath, undoPath } from '../paths.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import { PRICE_WAYS } from '../units/form.ts';
import { actorOf, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { differencesOf } from './differences.ts';
import { findProperties } from './find.ts';
import {
  BULK_KINDS,
  type BulkForm,
  type BulkOutcome,
  bulkForm,
  doubtOf,
  FEATURE_WAYS,
  outcomeOf,
  ROUNDINGS,
} from './planned.ts';
import { type Names, readNames } from './property.ts';

/** The most properties that are changed at once: what a transaction writes, and a page shows. */
const MOST = 500;

/** Names that a notice lists. */
const MOST_NAMED = 20;

/** A property that is to be changed. */
interface Row {
  readonly document: PropertyDocument;
  /** `null` until the form says what to change. */
  readonly outcome: BulkOutcome | null;
}

interface Bulk {
  readonly form: BulkForm;
  readonly names: Names;
  readonly rows: readonly Row[];
  /** How many are selected, more than the rows if they are too many. */
  readonly selected: number;
  /** The selection as a query: identifiers, or what the list was filtered by. */
  readonly selection: readonly (readonly [name: string, value: string])[];
}

/** What a change would make of the selected properties; each is saved unless somebody has changed it since it was shown. */
export const bulk = definePage<Bulk>({
  find: async (visitor) => {
    const { c, db, account } = visitor;
    const query = c.req.query();
    const given = c.req.queries('id') ?? [];
    const isAll = query.all === '1';
    const found = isAll ? await findProperties(visitor, query) : null;
    const ids = found ? found.rows.map(({ identifier }) => identifier) : [...new Set(given)];
    const wanted = ids.slice(0, MOST).map((id) => ({ kind: 'property', id }) as PortfolioDocument);
    const [stored, names] = await Promise.all([
      readStored(db, account.id, wanted),
      found ? found.names : readNames(visitor),
    ]);
    const form = bulkForm(query);
    const rows = wanted.flatMap((one): Row[] => {
      const document = stored.get(keyOf('property', (one as PropertyDocument).id));
      return document?.kind === 'property'
        ? [{ document, outcome: outcomeOf(document, form) }]
        : [];
    });
    const selection = found
      ? [['all', '1'] as const, ...Object.entries(found.asked)]
      : given.map((id) => ['id', id] as const);
    return { form, names, rows, selected: ids.length, selection };
  },
  show: (visitor, subject) => {
    const texts = textsOf(visitor, 'bulk');
    const changing = subject.rows.filter(({ outcome }) => outcome !== null && 'patch' in outcome);
    return {
      title:
        changing.length === 0
          ? texts.titles[subject.form.kind]({ count: subject.rows.length })
          : texts.title({ count: changing.length }),
      lead: texts.lead,
      content: (
        <>
          {subject.selected > MOST && (
            <Notice kind="warn">{texts.tooMany({ count: subject.selected, most: MOST })}</Notice>
          )}
          <ChangeForm subject={subject} />
          <Review subject={subject} />
        </>
      ),
    };
  },
  actions: { save },
});

/** Saves what was reviewed, in one transaction: what somebody has changed since stays, and is named. */
async function save(visitor: Visitor, { rows, form }: Bulk, fields: URLSearchParams) {
  const { c, account, now } = visitor;
  const texts = textsOf(visitor, 'bulk');
  const ticked = new Set(fields.getAll('row'));
  const tags = new Map(
    fields.getAll('tag').map((tag) => tag.split(' ', 2).reverse() as [string, string]),
  );
  const chosen = rows.filter(({ document }) => ticked.has(document.id));
  const isDoubted = chosen.some(
    ({ document, outcome }) =>
      outcome !== null && 'after' in outcome && doubtOf(document, outcome.after) !== null,
  );
  if (isDoubted && !fields.has('sure')) return { why: texts.agreedMissing };
  const operations = chosen.flatMap(({ document: { id }, outcome }) =>
    outcome !== null && 'patch' in outcome
      ? [{ op: 'patch' as const, id, patch: outcome.patch, if_match: `"${tags.get(id)}"` }]
      : [],
  );
  if (operations.length === 0) return { why: texts.nothing };
  const batch = `bulk:${crypto.randomUUID()}`;
  const options = { actor: actorOf(visitor), batch, atomic: false, now };
  const results = await writeProperties(c, account.id, operations, options);
  const left = operations.flatMap(({ id }, index) => ('problem' in results[index]! ? [id] : []));
  const refs = new Map(rows.map(({ document }) => [document.id, document.ref]));
  const names = left.slice(0, MOST_NAMED).map((id) => refs.get(id) ?? id);
  const count = operations.length - left.length;
  return {
    did: `properties.${form.kind}`,
    with: String(count),
    next: '/properties',
    flash: {
      kind: left.length > 0 ? ('warn' as const) : ('good' as const),
      messages: [
        { code: 'bulkSaved' as const, values: { count } },
        ...(left.length > 0 ? [{ code: 'unitsNotSaved' as const, values: { names } }] : []),
      ],
      ...(count > 0 && { undo: { path: undoPath(batch), does: 'save', fields: {} } }),
    },
  };
}

/** What to change, as a form that shows the same page with it. */
function ChangeForm({ subject: { form, names, selection } }: { readonly subject: Bulk }) {
  const { common, language } = useVisitor();
  const texts = useTexts('bulk');
  const statuses = Object.entries(common.statuses);
  const byName = new Map([...names.features].map(([code, name]) => [name, code]));
  const features = sortedNames(byName.keys(), language).map(
    (name) => [byName.get(name)!, name] as const,
  );
  const worded = (all: readonly string[], words: Readonly<Record<string, string>>): Options =>
    all.map((one) => [one, textOf(words, one)]);
  return (
    <Card title={texts.change}>
      <form action="/properties/change" class="stack close">
        <Hidden values={[...selection, ['kind', form.kind]]} />
        <div class="fields thirds">
          {form.kind === 'status' && (
            <Input
              name="to"
              label={common.status}
              options={[['', '—'], ...statuses]}
              value={form.status}
            />
          )}
          {form.kind === 'price' && (
            <>
              <Input
                name="by"
                label={texts.change}
                options={worded(PRICE_WAYS, texts.ways)}
                value={form.by}
              />
              <Input
                name="amount"
                label={texts.amount}
                value={form.amount}
                inputmode="decimal"
                autocomplete="off"
                required
              />
              <Input
                name="round"
                label={texts.round}
                options={worded(ROUNDINGS, texts.roundings)}
                value={form.round}
              />
            </>
          )}
          {form.kind === 'feature' && (
            <>
              <Input
                name="how"
                label={texts.change}
                options={worded(FEATURE_WAYS, texts.featureWays)}
                value={form.how}
              />
              <Input
                name="feature"
                label={texts.feature}
                options={[['', '—'], ...features]}
                value={form.feature}
              />
            </>
          )}
        </div>
        <div class="actions">
          <Button text={texts.show} />
        </div>
      </form>
    </Card>
  );
}

/** Each property as it is and as it would be, to be saved or left out. */
function Review({ subject: { rows, names } }: { readonly subject: Bulk }) {
  const visitor = useVisitor();
  const { common, language } = visitor;
  const texts = useTexts('bulk');
  if (rows.every(({ outcome }) => outcome === null)) return null;
  const changing = rows.filter(({ outcome }) => outcome !== null && 'patch' in outcome).length;
  let isDoubted = false;
  const cells = rows.map(({ document, outcome }) => {
    const item = (
      <Item href={propertyPath(document.id)} title={document.ref} note={document.town} />
    );
    if (outcome === null || 'why' in outcome)
      return [
        '',
        item,
        '',
        '',
        <span class="muted">{outcome && texts.unaffected[outcome.why]}</span>,
      ];
    const [difference] = differencesOf(document, outcome.after, names, visitor);
    const doubt = doubtOf(document, outcome.after);
    if (doubt !== null) isDoubted = true;
    const minimum = formatMoney(
      outcome.after.offers.sale?.minimum_price ?? 0,
      document.currency,
      language,
    );
    return [
      <>
        <Choice
          name="row"
          value={document.id}
          checked
          text=""
          aria-label={texts.select({ name: document.ref })}
        />
        <Hidden values={{ tag: `${propertyTag(document).slice(1, -1)} ${document.id}` }} />
      </>,
      item,
      <s>{difference?.before}</s>,
      <b>{difference?.after}</b>,
      doubt && <Chip tone="warn">{texts.doubts[doubt]({ minimum })}</Chip>,
    ];
  });
  return (
    <form method="post" class="stack">
      <TableCard
        title={common.properties}
        columns={['', texts.property, { numbers: texts.now }, { numbers: texts.becomes }, '']}
        rows={cells}
      />
      {isDoubted && <Choice name="sure" checked={false} required text={texts.agreed} />}
      <div class="actions">
        {changing > 0 && (
          <Button kind="primary" icon="check" text={texts.save({ count: changing })} />
        )}
        <ButtonLink href="/properties" text={common.cancel} />
      </div>
    </form>
  );
}

/** The bar below a list whose rows can be selected: what can be done with them. The form around both leads to the review. */
export function BulkBar({ total }: { readonly total: number }) {
  const texts = useTexts('bulk');
  return (
    <section class="bulk" aria-label={texts.selected}>
      <b data-selected={String(total)}>
        {texts.selected} <span role="status" />
      </b>
      <Choice name="all" checked={false} text={texts.all({ count: total })} />
      {BULK_KINDS.map((kind) => (
        <Button name="kind" value={kind} text={texts.kinds[kind]} />
      ))}
      <Button name="to" value="Withdrawn" kind="danger" text={texts.withdraw} />
    </section>
  );
}

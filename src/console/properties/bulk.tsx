import type { Child } from 'hono/jsx';
import { BATCH_FIELD, LISTING_FIELD, switchDetail } from '../../accounts/activity.ts';
import type { Detail } from '../../db/schema.ts';
import { propertyTag, writeProperties } from '../../properties/api/write.ts';
import {
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
} from '../../properties/documents.ts';
import { addressOf } from '../../properties/pictures.ts';
import { type ListedRow, listProperties } from '../../properties/store/listings.ts';
import { readStored } from '../../properties/store/read.ts';
import { switchProperties } from '../../readers/api/reader.ts';
import { decidingIn } from '../../readers/deciding.ts';
import { type Done, definePage, type Refusal } from '../define-page.tsx';
import { formatList, formatMoney } from '../format.ts';
import { Choice, Hidden, Input, type Options } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Item, Notice, TableCard } from '../frame/parts.tsx';
import { idsQuery, movePath, propertyPath, undoPath } from '../paths.ts';
import { FIRST_SCREEN, Thumb } from '../pictures/thumb.tsx';
import { changing } from '../portals/change.tsx';
import { type LeftOut, loadPortals, type PortalView } from '../portals/portal.ts';
import { inWords, textOf, textsOf } from '../texts/texts.ts';
import { PRICE_WAYS } from '../units/form.ts';
import {
  actorOf,
  type FormState,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import { differencesOf } from './differences.ts';
import { doubtsAbout, doubtText, type NumberDoubt } from './doubts.ts';
import { FeatureTicks } from './features.tsx';
import { findProperties } from './find.ts';
import { codeOfName } from './form.ts';
import {
  BULK_KINDS,
  type BulkForm,
  type BulkOutcome,
  bulkForm,
  FEATURE_WAYS,
  outcomeOf,
  PORTAL_WAYS,
  ROUNDINGS,
} from './planned.ts';
import { type Names, readNames, titleOf } from './property.ts';
import { linesOf } from './read.ts';

/** The most properties that are changed at once: what a transaction writes, and a page shows. */
const MOST = 500;

/** The field of a box that selects several: their identifiers, one on each line. */
const THESE = 'these';

/** How the fields begin that have the digests of the properties as they were shown. */
const TAG = 'tag:';

/** Names that a notice lists. */
const MOST_NAMED = 20;

/** A property that is to be changed. */
interface Row {
  readonly document: PropertyDocument;
  /** If the change is about a portal. */
  readonly row: ListedRow | undefined;
  /** `null` until the form says what to change. */
  readonly outcome: BulkOutcome | null;
}

interface Bulk {
  readonly form: BulkForm;
  readonly names: Names;
  /** If the change is about one of them. */
  readonly portals: readonly PortalView[];
  readonly portal: PortalView | undefined;
  readonly rows: readonly Row[];
  /** What to ask about new prices, by the identifiers of the properties. */
  readonly doubts: ReadonlyMap<string, readonly NumberDoubt[]>;
  /** How many are selected, more than the rows if they are too many. */
  readonly selected: number;
  /** The selection as a query: identifiers, or what the list was filtered by. */
  readonly selection: readonly (readonly [name: string, value: string])[];
}

/** What a change would make of the selected properties; each is saved unless somebody has changed it since it was shown. */
export const bulk = definePage<Bulk>({
  find: async (visitor) => {
    const { c, db, account } = visitor;
    const query = new URL(c.req.url).searchParams;
    const given = [...new Set([...query.getAll('id'), ...query.getAll(THESE).flatMap(linesOf)])];
    const isAll = query.get('all') === '1';
    const found = isAll ? await findProperties(visitor, c.req.query()) : null;
    const ids = found ? found.rows.map(({ identifier }) => identifier) : given;
    const identifiers = ids.slice(0, MOST);
    const wanted = identifiers.map((id) => ({ kind: 'property', id }) as PortfolioDocument);
    const asked = bulkForm(query);
    const isAtPortal = asked.kind === 'portal';
    const [stored, names, portals, listed] = await Promise.all([
      readStored(db, account.id, wanted),
      found ? found.names : readNames(visitor),
      isAtPortal ? loadPortals(visitor) : [],
      isAtPortal
        ? listProperties(db, account.id, { identifiers, order: 'reference', forRules: true })
        : [],
    ]);
    const features = asked.features.map((name) => codeOfName(names.features, name));
    const form = { ...asked, features };
    const portal = portals.find(({ name }) => name === form.portal);
    const byId = new Map(listed.map((row) => [row.identifier, row]));
    const rows = identifiers.flatMap((id): Row[] => {
      const document = stored.get(keyOf('property', id));
      const row = byId.get(id);
      return document?.kind === 'property'
        ? [{ document, row, outcome: outcomeOf(document, form, row, portal) }]
        : [];
    });
    const changes = rows.flatMap(({ document, outcome }) =>
      outcome !== null && 'patch' in outcome ? [{ before: document, after: outcome.after }] : [],
    );
    const doubts = await doubtsAbout(visitor, form.kind === 'price' ? changes : []);
    const selection = found
      ? [['all', '1'] as const, ...Object.entries(found.asked)]
      : given.map((id) => ['id', id] as const);
    return { form, names, portals, portal, rows, doubts, selected: ids.length, selection };
  },
  // Of a change of a portal's rules, which are saved as a whole.
  settings: ({ portal }) => ({ policy: portal?.reader.policy ?? null }),
  show: (visitor, subject, { version }) => {
    const texts = textsOf(visitor, 'bulk');
    return {
      ...headOf(visitor, subject),
      content: (
        <>
          {subject.selected > MOST && (
            <Notice kind="warn">{texts.tooMany({ count: subject.selected, most: MOST })}</Notice>
          )}
          <ChangeForm subject={subject} />
          <Review subject={subject} version={version} />
        </>
      ),
    };
  },
  actions: { save },
});

/** What changes, with the first price as an example, and all of them together. */
function headOf(visitor: Visitor, { form, rows }: Bulk): Pick<Page, 'title' | 'lead'> {
  const { language } = visitor;
  const texts = textsOf(visitor, 'bulk');
  const changed = rows.flatMap(({ document, outcome }) =>
    outcome !== null && 'patch' in outcome ? [[document, outcome.after] as const] : [],
  );
  const { length: count } = changed;
  const [first] = changed;
  if (first === undefined)
    return { title: texts.titles[form.kind]({ count: rows.length }), lead: texts.lead };
  if (form.kind !== 'price') return { title: texts.title({ count }), lead: texts.lead };
  const priceOf = ({ offers }: PropertyDocument) => offers.sale?.price ?? 0;
  const [{ currency }] = first;
  const between = ([before, after]: readonly [number, number]) => ({
    before: formatMoney(before, currency, language),
    after: formatMoney(after, currency, language),
  });
  const sum = (which: 0 | 1) => changed.reduce((all, one) => all + priceOf(one[which]), 0);
  const isOfOneCurrency = changed.every(([document]) => document.currency === currency);
  return {
    title: texts.titlePrice({ count, ...between([priceOf(first[0]), priceOf(first[1])]) }),
    lead: count > 1 && isOfOneCurrency ? texts.together(between([sum(0), sum(1)])) : texts.lead,
  };
}

/** Saves what was reviewed, in one transaction: what somebody has changed since stays, and is named. */
async function save(
  visitor: Visitor,
  { rows, form, names: known, portal, doubts }: Bulk,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const { c, account, now } = visitor;
  const texts = textsOf(visitor, 'bulk');
  const ticked = new Set(fields.getAll('row'));
  const chosen = rows.filter(({ document }) => ticked.has(document.id) || fields.has('every'));
  const isDoubted = chosen.some(({ document }) => doubts.get(document.id)?.length);
  if (isDoubted && !fields.has('sure')) return { why: texts.agreedMissing };
  if (portal?.reader.channel === null) return saveRules(visitor, portal, form, chosen);
  const operations = chosen.flatMap(({ document: { id }, outcome }) =>
    outcome !== null && 'patch' in outcome
      ? [{ op: 'patch' as const, id, patch: outcome.patch, if_match: `"${fields.get(TAG + id)}"` }]
      : [],
  );
  if (operations.length === 0) return { why: texts.nothing };
  const batch = `bulk:${crypto.randomUUID()}`;
  const options = { actor: actorOf(visitor), batch, atomic: false, now };
  const results = await writeProperties(c, account.id, operations, options);
  const isSaved = (id: string) => {
    const index = operations.findIndex((one) => one.id === id);
    return index >= 0 && !('problem' in results[index]!);
  };
  const ids = chosen.map(({ document }) => document.id);
  const saved = ids.filter(isSaved);
  // Somebody has changed these since they were shown; what the change would not affect anymore among them.
  const left = ids.filter((id) => !isSaved(id));
  const refs = new Map(rows.map(({ document }) => [document.id, document.ref]));
  const names = left.slice(0, MOST_NAMED).map((id) => refs.get(id) ?? id);
  const { length: count } = saved;
  const moved = portal ? saved.map((id) => switchDetail(portal.name, form.move === 'in', id)) : [];
  const { search } = new URL(c.req.url);
  return {
    did: `properties.${form.kind}`,
    with: portal ? `${count} · ${portal.title}` : String(count),
    details: [
      [BATCH_FIELD, null, batch],
      ...moved,
      ...detailsOf(
        visitor,
        form,
        known,
        chosen.filter(({ document }) => isSaved(document.id)),
      ),
    ],
    next: '/properties',
    flash: {
      kind: left.length > 0 ? ('warn' as const) : ('good' as const),
      messages: [
        { code: 'bulkSaved' as const, values: { count } },
        ...(left.length > 0 ? [{ code: 'unitsNotSaved' as const, values: { names } }] : []),
      ],
      ...(left.length > 0 && { again: againPath(search, left) }),
      ...(count > 0 && { undo: { path: undoPath(batch), does: 'save', fields: {} } }),
    },
  };
}

/** What a change has made of properties, for the log: their statuses or prices, or the features that all got or lost. */
function detailsOf(
  { language }: Visitor,
  { kind, how, features }: BulkForm,
  names: Names,
  rows: readonly Row[],
): Detail[] {
  if (kind === 'feature') {
    const named = features.map((code) => names.features.get(code) ?? code).join(', ');
    return [how === 'add' ? ['features', null, named] : ['features', named, null]];
  }
  if (kind === 'portal') return [];
  const inWords = ({ status, offers, currency }: PropertyDocument) =>
    kind === 'status' ? status : formatMoney(offers.sale?.price ?? 0, currency, language);
  return rows.flatMap(({ document, outcome }): Detail[] =>
    outcome !== null && 'after' in outcome
      ? [[LISTING_FIELD + document.id, inWords(document), inWords(outcome.after)]]
      : [],
  );
}

/** The review of the same change, of these properties only. */
function againPath(search: string, ids: readonly string[]): string {
  const query = new URLSearchParams(search);
  for (const name of ['id', THESE, 'all']) query.delete(name);
  return `/properties/change?${query}${idsQuery(ids)}`;
}

/** Takes listings into the rules of a portal without a channel, or out: undone by the opposite of what was done. */
async function saveRules(
  visitor: Visitor,
  portal: PortalView,
  { move }: BulkForm,
  chosen: readonly Row[],
): Promise<Done | Refusal> {
  const moving = chosen.flatMap(({ row, outcome }) =>
    row !== undefined && outcome !== null && 'patch' in outcome ? [row] : [],
  );
  const count = moving.length;
  if (count === 0) return { why: textsOf(visitor, 'bulk').nothing };
  const { parameters } = portal;
  const isIn = move === 'in';
  const properties = moving.map((row) => decidingIn(row, parameters.shortTerm));
  const result = await changing(visitor, portal.reader, (db, address) =>
    switchProperties(db, address, properties, parameters, isIn, actorOf(visitor)),
  );
  if (typeof result === 'object' && 'rules' in result)
    return { why: inWords(visitor.language, result.rules[0]!.message) };
  if (result !== 'changed') return { why: visitor.common.conflict, status: 412 };
  const ids = moving.map(({ identifier }) => identifier);
  const path = movePath(portal.name, !isIn, ids);
  return {
    did: 'properties.portal',
    with: `${count} · ${portal.title}`,
    details: ids.map((id) => switchDetail(portal.name, isIn, id)),
    next: '/properties',
    flash: {
      messages: [{ code: 'bulkSaved', values: { count } }],
      undo: { path, does: 'save', fields: { every: '1' } },
    },
  };
}

/** What to change, as a form that shows the same page with it. */
function ChangeForm({ subject }: { readonly subject: Bulk }) {
  const { form, names, selection, portals } = subject;
  const { common } = useVisitor();
  const texts = useTexts('bulk');
  const statuses = Object.entries(common.statuses);
  const worded = (all: readonly string[], words: Readonly<Record<string, string>>): Options =>
    all.map((one) => [one, textOf(words, one)]);
  return (
    <Card title={texts.kinds[form.kind]}>
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
          {form.kind === 'portal' && (
            <>
              <Input
                name="portal"
                label={texts.portal}
                options={[['', '—'], ...portals.map(({ name, title }) => [name, title] as const)]}
                value={form.portal}
              />
              <Input
                name="move"
                label={texts.change}
                options={worded(PORTAL_WAYS, texts.portalWays)}
                value={form.move}
              />
            </>
          )}
          {form.kind === 'feature' && (
            <Input
              name="how"
              label={texts.change}
              options={worded(FEATURE_WAYS, texts.featureWays)}
              value={form.how}
            />
          )}
        </div>
        {form.kind === 'feature' && (
          <div class="stack close" id="features">
            <FeatureTicks
              within="features"
              name="feature"
              names={names}
              chosen={form.features.map((code) => names.features.get(code) ?? code)}
            />
          </div>
        )}
        <div class="actions">
          <Button text={texts.show} />
        </div>
      </form>
    </Card>
  );
}

/** The other portals that get the same listings, because they have the same channel. */
function sharing({ portal, portals }: Bulk): string[] {
  const channel = portal?.reader.channel ?? null;
  const others = portals.filter((one) => one !== portal && one.reader.channel === channel);
  return channel === null ? [] : others.map(({ title }) => title);
}

interface ReviewProps {
  readonly subject: Bulk;
  readonly version: FormState['version'];
}

/** Each property as it is and as it would be, to be saved or left out. */
function Review({ subject, version }: ReviewProps) {
  const { rows, doubts } = subject;
  const visitor = useVisitor();
  const { common, language } = visitor;
  const texts = useTexts('bulk');
  if (rows.every(({ outcome }) => outcome === null)) return null;
  const changing = rows.filter(({ outcome }) => outcome !== null && 'patch' in outcome).length;
  const others = sharing(subject);
  const isDoubted = [...doubts.values()].some((found) => found.length > 0);
  return (
    <form method="post" class="stack">
      {others.length > 0 && (
        <Notice kind="warn">{texts.shared({ portals: formatList(others, language) })}</Notice>
      )}
      {version && <Hidden values={{ version }} />}
      <TableCard
        title={common.properties}
        columns={[
          { hidden: texts.selected },
          texts.property,
          { numbers: texts.now },
          { numbers: texts.becomes },
          { hidden: texts.note },
        ]}
        rows={rows.map((row, index) => cellsOf(visitor, subject, row, index))}
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

/** A row of the review. */
function cellsOf(
  visitor: Visitor,
  { names, doubts }: Bulk,
  { document, outcome }: Row,
  index: number,
): Child[] {
  const texts = textsOf(visitor, 'bulk');
  const { reasons } = textsOf(visitor, 'portals');
  const { id, ref, pictures } = document;
  const [main] = pictures;
  const item = (
    <Item
      picture={
        <Thumb
          address={main === undefined ? null : addressOf(main)}
          isEager={index < FIRST_SCREEN}
        />
      }
      href={propertyPath(id)}
      title={titleOf(document, names) || ref}
      note={ref}
    />
  );
  if (outcome === null || 'why' in outcome) {
    const why = outcome === null ? '' : outcome.why;
    const text = textOf(texts.unaffected, why, why && reasons[why as LeftOut]?.({ count: 1 }));
    return ['', item, '', '', <span class="muted">{text}</span>];
  }
  const atPortal = (reason: LeftOut | null) =>
    reason === null ? texts.inFeed : reasons[reason]({ count: 1 });
  const [difference] =
    outcome.atPortal === undefined
      ? differencesOf(document, outcome.after, names, visitor)
      : [{ before: atPortal(outcome.atPortal.before), after: atPortal(outcome.atPortal.after) }];
  return [
    <>
      <Choice name="row" value={id} checked text="" aria-label={texts.select({ name: ref })} />
      <Hidden values={{ [TAG + id]: propertyTag(document).slice(1, -1) }} />
    </>,
    item,
    <s>{difference?.before}</s>,
    <b>{difference?.after}</b>,
    (doubts.get(id) ?? []).map((doubt) => (
      <span class="doubt">{doubtText(doubt, document.currency, visitor)}</span>
    )),
  ];
}

/** The bar below a list whose rows can be selected: what can be done with them. The form around both leads to the review. */
export function BulkBar({
  total,
  shown,
}: {
  readonly total: number;
  /** The identifiers of the rows of this page. */
  readonly shown: readonly string[];
}) {
  const texts = useTexts('bulk');
  return (
    <section class="bulk" aria-label={texts.selected}>
      <b data-selected={String(total)}>
        <span role="status" /> {texts.selectedRows}
      </b>
      {shown.length < total && (
        <Choice
          name={THESE}
          value={shown.join('\n')}
          checked={false}
          text={texts.these({ count: shown.length })}
        />
      )}
      <Choice name="all" checked={false} text={texts.all({ count: total })} />
      {BULK_KINDS.map((kind) => (
        <Button name="kind" value={kind} text={texts.kinds[kind]} />
      ))}
      <Button name="to" value="Withdrawn" kind="danger" text={texts.withdraw} />
      <Button type="reset" icon="cross" aria-label={texts.clear} title={texts.clear} text="" />
    </section>
  );
}

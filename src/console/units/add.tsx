import type { Child } from 'hono/jsx';
import { BATCH_FIELD } from '../../accounts/activity.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { ProblemError } from '../../problem.ts';
import { writeProperties } from '../../properties/api/write.ts';
import { mayUpdate } from '../../rate-limits.ts';
import type { UnitFacts } from '../../units/listing.ts';
import { listUnits, unitProperties } from '../../units/units.ts';
import { type Done, definePage, type Refusal } from '../define-page.tsx';
import { formatArea, formatNumber } from '../format.ts';
import { CellInput, Hidden, Input, Submit } from '../frame/form.tsx';
import { Button, ButtonLink, Card, Chip, Notice, TableCard } from '../frame/parts.tsx';
import { undoPath, unitsPath, withQuery } from '../paths.ts';
import { inWords, textsOf } from '../texts/texts.ts';
import {
  actorOf,
  type FormState,
  type Page,
  useTexts,
  useVisitor,
  type Visitor,
} from '../visit.ts';
import { loadDevelopment } from './development.tsx';
import { Concerns, savedMessages } from './edit.tsx';
import { priceText, stateOf } from './form.ts';
import { COLUMNS, type PastedTable, readTable, unitIn } from './paste.ts';
import { type KnownUnits, type PlannedRow, planOf, writesOf } from './plan.ts';

/** The most rows of a table: what a transaction writes, and a page shows. */
const MOST = 500;

/** The most units of a development that rows are compared with. */
const MOST_UNITS = 5_000;

/** A table as it was understood, and what it changes. */
interface Reading {
  readonly table: PastedTable;
  readonly plan: readonly PlannedRow[];
  /** What is wrong with rows, in words, by their lines. */
  readonly errors: ReadonlyMap<number, string>;
  /** Names what is shown: only that is saved. */
  readonly digest: string;
}

/** Units of a development from a table that was copied from a spreadsheet, with what their listings say of them. */
export const addUnits = definePage<KnownUnits>({
  find: async (visitor) => {
    const { c, db, account } = visitor;
    const id = c.req.query('development') ?? '';
    const [development, units, properties] = await Promise.all([
      loadDevelopment(visitor, id),
      listUnits(db, account.id, id, null, MOST_UNITS),
      unitProperties(db, account.id, id),
    ]);
    if (development === null || units === null) return null;
    const byName = new Map(units.map((unit) => [unit.name, unit]));
    return { development, units: byName, properties };
  },
  show: addPage,
  actions: { read: async () => ({ status: 200, why: '' }), save },
});

/** What a form has pasted, and what it would change; the API is asked what it would say of it. */
async function readingOf(
  visitor: Visitor,
  known: KnownUnits,
  fields: URLSearchParams,
): Promise<Reading> {
  const { language } = visitor;
  const texts = textsOf(visitor, 'units');
  const table = readTable(fields.get('table') ?? '', fields.getAll('column'));
  const plan = planOf(
    table.rows.slice(0, MOST).map((row) => unitIn(table, row)),
    known,
  );
  const errors = new Map<number, string[]>();
  const add = (line: number, text: string) => errors.set(line, [...(errors.get(line) ?? []), text]);
  for (const { line, errors: found } of plan)
    for (const [column, error] of found)
      add(line, `${texts.columns[column]}: ${wordsOf(visitor)[error]}`);
  if (errors.size === 0) {
    const tried = await write(visitor, known, plan, { validate: true }).catch(refused);
    if (tried === null) add(plan[0]?.line ?? 1, texts.pasteAgain);
    for (const [index, row] of plan.filter(({ operation }) => operation).entries()) {
      const result = tried?.[index];
      if (result === undefined) break;
      const problem = 'problem' in result ? result.problem : null;
      for (const error of problem?.errors ?? []) {
        const column = COLUMNS.find((one) => error.pointer === `/${one}`);
        const of = column === undefined ? texts.itsListing : texts.columns[column];
        add(row.line, `${of}: ${inWords(language, error)}`);
      }
      if (problem?.code === 'precondition_failed') add(row.line, texts.listingExists);
      const unknown = 'understood' in result && result.understood.find((one) => one.unknown);
      if (unknown) add(row.line, `${texts.columns.type}: ${texts.pasteErrors.notType}`);
    }
  }
  const digest = sha256Hex(JSON.stringify(plan)).slice(0, 16);
  const inWordsByLine = [...errors].map(([line, all]) => [line, all.join('; ')] as const);
  return { table, plan, errors: new Map(inWordsByLine), digest };
}

/** What is wrong with cells, in words. */
function wordsOf({ language }: Visitor): Readonly<Record<string, string>> {
  const { notNumber, priceNegative, pasteErrors } = textsOf({ language }, 'units');
  return { notNumber, priceNegative, ...pasteErrors };
}

/** Writes a plan in one transaction, or says what would become of its listings. */
function write(
  visitor: Visitor,
  { development }: KnownUnits,
  plan: readonly PlannedRow[],
  { validate = false, batch }: { readonly validate?: boolean; readonly batch?: string },
) {
  const { c, account, now } = visitor;
  const operations = plan.flatMap(({ operation }) => operation ?? []);
  const units = writesOf(plan, development.id);
  const options = { actor: actorOf(visitor), batch, atomic: !validate, validate, now, units };
  return writeProperties(c, account.id, operations, options);
}

async function save(
  visitor: Visitor,
  known: KnownUnits,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const { c, account } = visitor;
  const texts = textsOf(visitor, 'units');
  const { table, plan, errors, digest } = await readingOf(visitor, known, fields);
  if (plan.length === 0) return { errors: { table: texts.pasteNothing } };
  if (table.rows.length > MOST) return {};
  if (errors.size > 0) return { why: texts.pasteWrong({ count: errors.size }) };
  if (fields.get('reviewed') !== digest) return { why: texts.pasteAgain, status: 412 };
  if (plan.some(({ concern }) => concern !== null) && !fields.has('sure'))
    return { why: texts.sureMissing };
  const changed = plan.filter(({ isChanged }) => isChanged);
  if (!(await mayUpdate(c.env, { accountId: account.id }, plan.length)))
    return { why: texts.limited, status: 429 };
  const batch = `table:${crypto.randomUUID()}`;
  const results = await write(visitor, known, plan, { batch }).catch(refused);
  if (results === null || results.some((result) => 'problem' in result))
    return { why: texts.pasteAgain, status: 412 };
  const count = results.filter((result) => 'created' in result && result.created).length;
  const names = changed.map(({ name }) => name);
  const messages = [
    ...savedMessages(names, known.properties),
    ...(count > 0 ? [{ code: 'listingsCreated' as const, values: { count } }] : []),
  ];
  return {
    did: 'units.pasted',
    with: known.development.name,
    details: [[BATCH_FIELD, null, batch]],
    next: unitsPath(known.development.id),
    flash: { messages, undo: { path: undoPath(batch), does: 'save', fields: {} } },
  };
}

/** `null` for what the API refuses, because somebody has changed or removed it in the meantime. @throws any other error */
function refused(error: unknown): null {
  if (error instanceof ProblemError) return null;
  throw error;
}

async function addPage(visitor: Visitor, known: KnownUnits, form: FormState): Promise<Page> {
  const { development, units, properties } = known;
  const texts = textsOf(visitor, 'units');
  const { id, name, details } = development;
  const reading = form.typed && (await readingOf(visitor, known, form.typed));
  const isNowhere = details.town === null || details.province === null;
  const unlisted = [...units.values()].filter((unit) => !properties.has(unit.name));
  const isFilled = visitor.c.req.query('of') === 'unlisted';
  const first = isFilled
    ? [
        [texts.columns.name, texts.columns.type, texts.columns.beds, texts.columns.built_area],
        ...unlisted.map((unit) => [unit.name]),
      ]
    : [];
  const text = form.typed?.get('table') ?? first.map((cells) => cells.join('\t')).join('\n');
  return {
    title: texts.addTitle({ name }),
    lead: texts.addLead,
    crumbs: [{ name, href: unitsPath(id) }],
    content: (
      <>
        {isNowhere && (
          <Notice
            kind="info"
            actions={
              <ButtonLink
                href={withQuery('/developments/edit', { id })}
                text={texts.editDevelopment}
              />
            }
          >
            {texts.nowhere}
          </Notice>
        )}
        <form method="post" class="stack" data-keep>
          <Card title={texts.table}>
            <Input
              name="table"
              label={texts.paste}
              hint={texts.pasteHint}
              error={form.errors.table}
              rows={reading ? 6 : 12}
              value={text}
            />
            <div class="actions">
              <Button
                kind={reading ? undefined : 'primary'}
                name="do"
                value="read"
                text={texts.readTable}
              />
              {!reading && <ButtonLink href={unitsPath(id)} text={visitor.common.cancel} />}
            </div>
          </Card>
          {reading && reading.plan.length > 0 && <Review reading={reading} known={known} />}
        </form>
      </>
    ),
  };
}

/** Each row as it was understood, with what it changes or what is wrong with it. */
function Review({
  reading: { table, plan, errors, digest },
  known,
}: {
  readonly reading: Reading;
  readonly known: KnownUnits;
}) {
  const visitor = useVisitor();
  const { common, language } = visitor;
  const texts = useTexts('units');
  const options = [['', texts.leftOut], ...COLUMNS.map((one) => [one, texts.columns[one]])] as [
    string,
    string,
  ][];
  const created = plan.filter(({ operation }) => operation?.op === 'put').length;
  const changing = plan.filter(({ isChanged, operation }) => isChanged || operation).length;
  const was = (before: string | undefined, after: string): Child =>
    before === undefined || before === after ? (
      after
    ) : (
      <>
        <b>{after}</b> <s>{before}</s>
      </>
    );
  const wrongFirst = plan.toSorted(
    (a, b) => Number(errors.has(b.line)) - Number(errors.has(a.line)) || a.line - b.line,
  );
  const rows = wrongFirst.map((row) => {
    const { line, name, before, after, isChanged, operation, facts } = row;
    const currency = known.properties.get(name)?.currency;
    const now = stateOf(after, currency, visitor);
    const then = before && stateOf(before, currency, visitor);
    const error = errors.get(line);
    const change = before === undefined ? 'created' : isChanged || operation ? 'changed' : 'same';
    const outcome = error === undefined ? change : 'wrong';
    return [
      formatNumber(line, language),
      <b class="nowrap">{name || '—'}</b>,
      was(then?.status, now.status),
      was(
        before && priceText(before.price, currency, visitor),
        priceText(after.price, currency, visitor),
      ),
      was(then && (then.directions || '—'), now.directions || '—'),
      error === undefined ? factsText(facts, visitor) : <span class="error">{error}</span>,
      <Chip tone={OUTCOMES[outcome]}>{texts.outcomes[outcome]}</Chip>,
    ];
  });
  return (
    <>
      <Card title={texts.columnsTitle}>
        <div class="fields thirds">
          {table.columns.map((column, index) => (
            <div class="field">
              <span class="muted small">{table.rows[0]?.cells[index] || '—'}</span>
              <CellInput
                name="column"
                label={texts.columnOf({ number: index + 1 })}
                options={options}
                value={column}
              />
            </div>
          ))}
        </div>
      </Card>
      {table.rows.length > MOST && (
        <Notice kind="bad">{texts.pasteMost({ count: table.rows.length, most: MOST })}</Notice>
      )}
      {errors.size > 0 && <Notice kind="bad">{texts.pasteWrong({ count: errors.size })}</Notice>}
      <TableCard
        title={texts.understood({ count: plan.length })}
        columns={[
          { numbers: texts.row },
          texts.unit,
          common.status,
          { numbers: common.price },
          texts.columns.directions,
          texts.itsListing,
          { hidden: texts.outcome },
        ]}
        rows={rows}
      />
      <Hidden values={{ reviewed: digest }} />
      {created > 0 && errors.size === 0 && (
        <Notice kind="info">{texts.listingsToCreate({ count: created })}</Notice>
      )}
      {errors.size === 0 && table.rows.length <= MOST && changing > 0 && (
        <>
          <Concerns of={plan.filter(({ concern }) => concern !== null)} />
          <Submit
            cancel={unitsPath(known.development.id)}
            text={texts.saveUnits({ count: changing })}
          />
        </>
      )}
    </>
  );
}

/** What a row says of the listing: `Apartment · 2 bedrooms · 84 m²`. */
function factsText(facts: UnitFacts, { language }: Visitor): string {
  const texts = textsOf({ language }, 'units');
  const { type, beds, bath, built_area: built, terrace_area: terrace, floor } = facts;
  const said = [
    type,
    beds && texts.bedrooms({ count: beds }),
    bath && `${texts.columns.bath}: ${formatNumber(bath, language)}`,
    formatArea(built, language),
    terrace && `${texts.columns.terrace_area}: ${formatArea(terrace, language)}`,
    floor && texts.floor({ name: floor }),
  ];
  return said.filter(Boolean).join(' · ');
}

const OUTCOMES = { wrong: 'bad', created: 'good', changed: 'info', same: 'none' } as const;

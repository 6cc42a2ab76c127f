import { readReportState, writeReportSettings } from '../../accounts/overview.ts';
import { validate } from '../../api/validation.ts';
import { listProperties } from '../../properties/store/listings.ts';
import { isRule, RULES } from '../../rules/all.ts';
import { isPortal, PORTALS } from '../../rules/portals.ts';
import { reportQuery } from '../../rules/report/schemas.ts';
import type { Report } from '../../rules/report.ts';
import { SEVERITIES, type Severity } from '../../rules/rule.ts';
import { changesOf, definePage } from '../define-page.tsx';
import { SAVED } from '../flash.tsx';
import { formatList } from '../format.ts';
import { FilterBar, type FilterMenu, FormCard, Hidden, type Options } from '../frame/form.tsx';
import {
  Button,
  ButtonLink,
  Card,
  entriesOf,
  Figures,
  Item,
  Pages,
  pageIn,
  SEVERITY_TONES,
  TableCard,
  type Todo,
  Todos,
} from '../frame/parts.tsx';
import { notFoundPage } from '../pages.tsx';
import { propertyPath, withQuery } from '../paths.ts';
import { fieldText } from '../properties/differences.ts';
import { fieldOfNode } from '../properties/fields.ts';
import { isOfPictures } from '../properties/findings.tsx';
import { textsOf, translated } from '../texts/texts.ts';
import { type FormState, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { loadReport, whenChecked } from './load.ts';

const FINDINGS_PER_PAGE = 100;

/** The report with the filter in the query; `null` if a value is not allowed. Browsers send empty choices. */
async function findReport(visitor: Visitor, mostAwaited?: number) {
  const given = Object.entries(visitor.c.req.query()).filter(([, value]) => value !== '');
  const filter = validate(reportQuery, Object.fromEntries(given));
  if ('errors' in filter) return null;
  const { portal, severity, rule } = filter.value;
  const report = await loadReport(visitor, filter.value, mostAwaited);
  return report && { report, given: { portal, severity, rule } };
}

type Found = NonNullable<Awaited<ReturnType<typeof findReport>>>;

/** What is wrong with the listings, and the settings: the portals that an account uses and the rules that it has muted. */
export const report = definePage({
  find: (visitor) => findReport(visitor),
  settings: ({ report }) => settingsOf(report),
  show: reportPage,
  actions: {
    save: async ({ db, account }, { report }, fields) => {
      const portals = fields.getAll('portal').filter(isPortal);
      const stated = { portals, muted: fields.getAll('muted').filter(isRule) };
      await writeReportSettings(db, account.id, stated);
      const details = changesOf(settingsOf(report), settingsOf(stated));
      return { did: 'report.changed', next: '/report', flash: SAVED, details };
    },
    hide: async ({ db, account }, { given }, fields) => {
      const before = await readReportState(db, account.id);
      const hidden = [...new Set([...before.muted, ...fields.getAll('rule').filter(isRule)])];
      const stated = { portals: before.portals, muted: hidden };
      await writeReportSettings(db, account.id, stated);
      const details = changesOf(settingsOf(before), settingsOf(stated));
      return { did: 'report.changed', next: withQuery('/report', given), details };
    },
  },
});

/** What the log and the form say of the settings of the report. */
function settingsOf({ portals, muted }: Record<'portals' | 'muted', readonly string[]>) {
  return { portals, muted };
}

/** The report, grouped by what to do; or, for one rule, with which listings. */
async function reportPage(visitor: Visitor, found: Found, form: FormState): Promise<Page> {
  const { common } = visitor;
  const texts = textsOf(visitor, 'report');
  const { report, given } = found;
  const { properties, withErrors, rules, checkedIn } = report;
  const { portal, severity } = given;
  const isWhole = given.rule === undefined;
  const rule = isWhole ? undefined : rules[0];
  const listings = texts.affected({ count: properties });
  const errors =
    withErrors > 0
      ? texts.errors({ count: withErrors, listings })
      : texts.noErrors({ count: properties });
  const clean = { icon: 'check', tone: 'good', text: texts.none, why: texts.noneWhy } as const;
  return {
    title: rule?.fix ?? (rules.length === 0 ? texts.clean({ count: properties }) : errors),
    lead: rule?.explanation ?? texts.lead,
    crumbs: isWhole
      ? []
      : [{ name: common.report, href: withQuery('/report', { portal, severity }) }],
    checkedIn,
    actions: (
      <a class="button" href={withQuery('/report.csv', given)} download>
        {texts.csv}
      </a>
    ),
    content: (
      <>
        {isWhole && <Summary {...found} />}
        {rules.length === 0 && (
          <Card title={texts.none} empty={whenChecked(visitor, checkedIn, clean)} />
        )}
        {isWhole && SEVERITIES.map((one) => <RulesCard severity={one} {...found} />)}
        {rule && (await findingsCard(visitor, found))}
        {isWhole && portal === undefined && visitor.isEditor && (
          <Settings report={report} form={form} />
        )}
      </>
    ),
  };
}

/** The report as CSV, always complete. */
export async function downloadReport(visitor: Visitor): Promise<Page | Response> {
  const found = await findReport(visitor, Number.POSITIVE_INFINITY);
  if (found === null) return notFoundPage(visitor);
  return new Response(reportCsv(found.report), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="report-${visitor.account.code}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}

function menuOf(
  name: string,
  label: string,
  words: Readonly<Record<string, string>>,
  value: string | undefined,
): FilterMenu {
  const options = Object.entries(words).map(([one, text]) => ({ value: one, text }));
  return { name, label, options, chosen: value && words[value] };
}

function Summary({ report, given }: Found) {
  const texts = useTexts('report');
  const severities = Object.fromEntries(SEVERITIES.map((one) => [one, texts[one]]));
  return (
    <>
      <Figures
        figures={[
          { id: 'checked', name: texts.checked, value: report.properties },
          { id: 'with-errors', name: texts.withErrors, value: report.withErrors },
          ...SEVERITIES.map((one) => ({ id: one, name: texts[one], value: report.counts[one] })),
        ]}
      />
      <FilterBar
        path="/report"
        values={given}
        menus={[
          menuOf('portal', texts.portal, PORTALS, given.portal),
          menuOf('severity', texts.severity, severities, given.severity),
        ]}
      />
    </>
  );
}

const ICONS = { error: 'alert', warning: 'warning', info: 'info' } as const;

/** What to do about the findings of a severity. */
function RulesCard({ report, given, severity }: Found & { readonly severity: Severity }) {
  const { isEditor, language } = useVisitor();
  const texts = useTexts('report');
  const rules = report.rules.filter((rule) => rule.severity === severity);
  if (rules.length === 0) return null;
  const items = rules.map(({ code, properties, fix, explanation, portals }): Todo => {
    const names = portals.map((portal) => PORTALS[portal]);
    return {
      icon: ICONS[severity],
      tone: SEVERITY_TONES[severity],
      text: fix,
      why: [
        explanation,
        !names.every((name) => explanation.includes(name)) &&
          ` ${texts.onlyFor({ portals: formatList(names, language) })}`,
      ],
      action: (
        <>
          {isEditor && (
            <form method="post">
              <Hidden values={{ rule: code }} />
              <Button
                name="do"
                value="hide"
                text={texts.hide}
                aria-label={`${texts.hide}: ${fix}`}
              />
            </form>
          )}
          <ButtonLink
            href={withQuery('/report', { ...given, rule: code })}
            text={texts.see({ count: properties })}
          />
        </>
      ),
    };
  });
  return (
    <Card title={texts[severity]} flush>
      <Todos items={items} />
    </Card>
  );
}

async function findingsCard(visitor: Visitor, { report: { findings }, given }: Found) {
  const { db, account, reader, isEditor } = visitor;
  const texts = textsOf(visitor, 'report');
  const title = texts.affected({ count: findings.length });
  const page = pageIn(visitor.c.req.query('page'));
  const shown = entriesOf(findings, page, FINDINGS_PER_PAGE);
  const filter = { identifiers: shown.map(({ property }) => property), order: 'added' } as const;
  const listed = await listProperties(db, account.id, filter);
  const references = new Map(listed.map(({ identifier, reference }) => [identifier, reference]));
  const rows = shown.map(({ property, node, value }) => {
    const field = fieldOfNode(node);
    const where = isOfPictures(node)
      ? textsOf(visitor, 'properties').photographs
      : field
        ? fieldText(field, visitor)
        : node;
    const reference = references.get(property) || property;
    // Readers have no page about a property, and see its record.
    const href =
      reader === null
        ? propertyPath(property)
        : `${withQuery('/feed', { record: property })}#records`;
    return [
      <Item href={href} title={reference} note={property !== reference && property} />,
      isEditor ? <a href={withQuery('/property/edit', { id: property, node })}>{where}</a> : where,
      value,
    ];
  });
  return (
    <TableCard title={title} columns={[texts.property, texts.fields, texts.value]} rows={rows}>
      <Pages
        page={page}
        total={findings.length}
        perPage={FINDINGS_PER_PAGE}
        path="/report"
        query={given}
      />
    </TableCard>
  );
}

interface SettingsProps {
  readonly report: Report;
  readonly form: FormState;
}

function Settings({ report: { portals, muted }, form }: SettingsProps) {
  const { language, common } = useVisitor();
  const texts = useTexts('report');
  const hidden = RULES.filter(({ code }) => muted.includes(code)).map(
    (rule) => [rule.code, translated(language, 'rules', rule.code, rule).fix] as const,
  );
  const boxes = (options: Options, chosen: readonly string[]) =>
    options.length === 0 ? undefined : ({ type: 'checkbox', options, chosen } as const);
  return (
    <FormCard
      form={form}
      title={texts.used}
      submit={common.save}
      fields={{ portal: boxes(Object.entries(PORTALS), portals), muted: boxes(hidden, muted) }}
      texts={{ portal: texts.usedWhy, muted: texts.hidden }}
    />
  );
}

/** The findings as CSV (RFC 4180), in UTF-8 with a byte order mark, so that spreadsheets recognise the encoding. */
function reportCsv({ rules, findings }: Report): string {
  const rows = findings.map(({ rule: found, property, node, value }) => {
    const rule = rules.find(({ code }) => code === found);
    return [
      property,
      found,
      rule?.severity ?? '',
      node,
      value,
      rule?.explanation ?? '',
      rule?.fix ?? '',
    ];
  });
  const lines = [['property', 'rule', 'severity', 'node', 'value', 'explanation', 'fix'], ...rows];
  return `\ufeff${lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** Quotes a text that begins like a formula, which a spreadsheet would compute. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import type { Child } from 'hono/jsx';
import type { PropertyDocument } from '../../properties/documents.ts';
import { addressOf } from '../../properties/pictures.ts';
import type { ListedRow } from '../../properties/store/listings.ts';
import type { Place } from '../../properties/store/neighbours.ts';
import { checkListings } from '../../rules/check.ts';
import { listingOfDocument } from '../../rules/listing.ts';
import {
  makeReport,
  type Report,
  type ReportFilter,
  type ReportSettings,
} from '../../rules/report.ts';
import type { UnitListing } from '../../units/listing.ts';
import { formatMoney, formatNumber, isoCode } from '../format.ts';
import { Choice, Deletion, Hidden, Input, LanguageTabs, Tick } from '../frame/form.tsx';
import { Icon } from '../frame/icon.tsx';
import { Button, ButtonLink, Card, Chip, Todos } from '../frame/parts.tsx';
import { picturesPath, propertyPath, unitPath } from '../paths.ts';
import { Thumb } from '../pictures/thumb.tsx';
import { type PortalView, rulesFor, type Standing } from '../portals/portal.ts';
import {
  candidateFor,
  type Positions,
  type Switches,
  SwitchList,
  standingsOf,
} from '../portals/switches.tsx';
import { translatedReport } from '../report/load.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import { type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { fieldText } from './differences.ts';
import { FeatureTicks, featureNames } from './features.tsx';
import {
  FIELDS,
  FORM,
  type FormField,
  type FormPart,
  fieldOfNode,
  isBox,
  TEXT_LANGUAGES,
} from './fields.ts';
import { findingTodos, isOfPictures } from './findings.tsx';
import {
  changedFields,
  changeOf,
  currencyOf,
  digestsOf,
  statusAfter,
  sureOf,
  type Typed,
} from './form.ts';
import { candidateOf, isNeeded, type Missing, missingOf, NEED_COUNT, ofUnit } from './needs.ts';
import { type Names, typeNames } from './property.ts';
import { linesOf, readText } from './read.ts';

/** A stored property, and its row in lists. */
export interface Stored {
  readonly document: PropertyDocument;
  readonly row: ListedRow;
}

/** What the form shows. */
export interface Editing {
  readonly stored: Stored | undefined;
  /** The listing of a unit, if a new one is to be that. */
  readonly own: UnitListing | null;
  /** The values now. */
  readonly shown: Typed;
  readonly typed: Typed;
  readonly names: Names;
  readonly places: readonly Place[];
  readonly portals: readonly PortalView[];
  /** Of reports. */
  readonly settings: ReportSettings;
  /** The switches of portals that were moved, and who has moved them before. */
  readonly positions: Positions;
  readonly switches: Switches;
  readonly errors: Readonly<Record<string, string>>;
  /** The name of the field that a finding is about. */
  readonly focused?: string | undefined;
}

/** What follows from what is typed. */
interface Outcome {
  readonly candidate: PropertyDocument;
  readonly missing: readonly Missing[];
  /** What the report would say of it. */
  readonly report: Report;
  readonly standings: readonly Standing[];
  /** What the report would say of it for a portal alone, by the portal's name. */
  readonly lacks: ReadonlyMap<string, readonly string[]>;
}

type Shown = Editing & Outcome;

function outcomeOf({ language, now }: Visitor, editing: Editing): Outcome {
  const { stored, own, typed, shown, names, portals, settings, positions } = editing;
  const { patch } = changeOf(typed, stored === undefined ? {} : shown, names);
  const candidate = candidateOf(stored?.document, own ? ofUnit(own, patch) : patch, now);
  const listed = { ...candidate, status: statusAfter('list', candidate.status) };
  const isStored = Object.keys(patch).length === 0;
  const at = candidateFor(listed, stored?.row, isStored, names.vocabulary);
  const listing = listingOfDocument(listed, at.vocabulary);
  const standings = standingsOf(portals, at, positions);
  const on = standings.filter(({ isOn, state }) => isOn && state !== 'paused');
  const rulesOf = on.flatMap(({ portal: { portal, format } }) => [portal, format.name]);
  const found = checkListings([listing]);
  const reportFor = (filter: ReportFilter) =>
    translatedReport(makeReport([found], { ...settings, ...filter }, now), language);
  const lacks = on.map(({ portal }) => {
    const rules = rulesFor(portal);
    const own = rules === undefined ? [] : reportFor({ portal: rules }).rules;
    const ofPortal = own.filter((rule) => rule.portals.includes(rules!));
    return [portal.name, ofPortal.map(({ fix }) => fix)] as const;
  });
  const missing = missingOf(listing, typed, rulesOf);
  return { candidate, missing, report: reportFor({}), standings, lacks: new Map(lacks) };
}

/** The form of a property, or of a new one. */
export function editorPage(visitor: Visitor, editing: Editing): Page {
  const { stored, typed, shown } = editing;
  const { common } = visitor;
  const texts = textsOf(visitor, 'properties').form;
  const outcome = outcomeOf(visitor, editing);
  const all = { ...editing, ...outcome };
  const unit = stored ? stored.document.unit : editing.own?.unit;
  const cancel = stored === undefined ? '/properties' : propertyPath(stored.document.id);
  const isWithdrawn = stored !== undefined && shown.status === 'Withdrawn';
  const publish = isWithdrawn || stored === undefined;
  return {
    title: stored === undefined ? texts.addTitle : texts.editTitle({ ref: stored.document.ref }),
    lead: unit ? (
      <>
        {texts.ofUnit} <a href={unitPath(unit.development, unit.name)}>{unit.name}</a>
      </>
    ) : (
      texts.lead
    ),
    crumbs: stored === undefined ? [] : [{ name: stored.document.ref, href: cancel }],
    actions: isWithdrawn && <Chip>{texts.withheld}</Chip>,
    content: (
      <div class="editor">
        <Rail {...all} />
        <form method="post" class="stack" data-keep data-check>
          {stored && <Hidden values={{ first: digestsOf(shown) }} />}
          <Lists {...all} />
          <Plain part="basics" shown={all}>
            {stored === undefined && (
              <details open={all.errors.id !== undefined || undefined}>
                <summary>{texts.otherId}</summary>
                <Input
                  name="id"
                  label={texts.id}
                  hint={texts.idHint}
                  error={all.errors.id}
                  value={typed.id}
                  maxlength={100}
                  autocomplete="off"
                />
              </details>
            )}
          </Plain>
          <Offers {...all} />
          <Plain part="place" shown={all} />
          <Plain part="rooms" shown={all} />
          <Energy {...all} />
          <Features {...all} />
          <Pictures stored={stored} />
          <Texts {...all} />
          <Portals {...all} />
          <Plain part="office" shown={all} />
          <div class="savebar">
            <span class="grow muted" id="standing" data-live>
              {standingText(visitor, all)}
            </span>
            <Button
              kind="primary"
              icon="check"
              name="do"
              value={publish ? 'list' : 'save'}
              text={publish ? texts.list : common.save}
            />
            {isWithdrawn && <Button name="do" value="save" text={common.save} />}
            {!isWithdrawn && (
              <Button name="do" value="withhold" text={stored ? texts.takeOff : texts.withhold} />
            )}
            <ButtonLink href={cancel} text={common.cancel} />
          </div>
        </form>
        {stored && <Deletion title={texts.delete} why={texts.deleteWhy} />}
      </div>
    ),
  };
}

/** How much is not saved yet, and how many portals would take the property as it is typed. */
function standingText(visitor: Visitor, all: Shown): string {
  const texts = textsOf(visitor, 'properties').form;
  const { stored, standings, shown, typed, names, positions } = all;
  const changed = stored ? changedFields(shown, typed, names).length + positions.size : 0;
  const unsaved = changed > 0 ? `${texts.changes({ count: changed })} ` : '';
  const used = standings.filter(({ state }) => state !== 'paused');
  const count = used.filter(({ reason }) => reason === null).length;
  const taken = used.length === 0 ? texts.noPortals : texts.standing({ count, total: used.length });
  return unsaved + taken;
}

/** What types and towns are called: types with their other names, towns with the rest of their place. */
function Lists({ names, places }: Editing) {
  const { language } = useVisitor();
  return (
    <>
      <datalist id="types">
        {[...typeNames(names, language)].map(([name, also]) => (
          <option value={name} label={also} />
        ))}
      </datalist>
      <datalist id="towns">
        {places.map(({ town, postcode, province }) => (
          <option
            value={town}
            label={[postcode, province].filter(Boolean).join(', ')}
            data-postcode={postcode}
            data-province={province}
          />
        ))}
      </datalist>
    </>
  );
}

/** The first pictures, and the way to all of them. */
function Pictures({ stored }: Pick<Editing, 'stored'>) {
  const texts = useTexts('properties').form;
  if (stored === undefined) {
    return (
      <Card title={texts.parts.pictures} id="pictures">
        <p class="muted">{texts.picturesLater}</p>
      </Card>
    );
  }
  const { id, pictures } = stored.document;
  return (
    <Card title={texts.parts.pictures} id="pictures">
      <div class="strip">
        {pictures.slice(0, PICTURES_SHOWN).map((picture) => (
          <Thumb address={addressOf(picture)} isEager={false} />
        ))}
      </div>
      <div class="actions">
        <span class="muted grow">{texts.pictureCount({ count: pictures.length })}</span>
        <ButtonLink href={picturesPath(id)} icon="picture" text={texts.arrange} />
      </div>
    </Card>
  );
}

/** Where a link to something that is missing leads. */
function hrefOf({ field, part }: Pick<Missing, 'field'> & { readonly part: string | undefined }) {
  const isHidden =
    field === undefined || field.includes('-') || part === 'energy' || part === 'features';
  return `#${isHidden ? part : field}`;
}

/** Pictures of the property that its form shows. */
const PICTURES_SHOWN = 6;

/** The parts of the page, in their order. */
const PARTS = [
  ...['basics', 'offer', 'place', 'rooms', 'energy', 'features', 'pictures', 'texts'],
  ...['portals', 'office'],
] as readonly (FormPart | 'pictures')[];

/** Progress and contents. */
function Rail({ missing }: Shown) {
  const texts = useTexts('properties').form;
  const met = NEED_COUNT - missing.length;
  const summary = texts.needs({ met, total: NEED_COUNT });
  return (
    <aside class="rail" aria-label={texts.contents}>
      <div class="card body" id="needs" data-live>
        <h2>{summary}</h2>
        <progress class="progress" max={NEED_COUNT} value={met} aria-label={summary} />
        <ul class="needs">
          {missing.map((one) => (
            <li>
              <Icon name="warning" />
              <a class="link" href={hrefOf(one)}>
                {texts.missing[one.need]}
              </a>
            </li>
          ))}
        </ul>
      </div>
      <nav class="toc" aria-label={texts.onPage}>
        <ol>
          {PARTS.map((part) => {
            const count = missing.filter((one) => one.part === part).length;
            return (
              <li>
                <a href={`#${part}`}>
                  {texts.parts[part]}
                  <small id={`toc-${part}`} data-live>
                    {count > 0 ? texts.missingCount({ count }) : isNeeded(part) && <Met />}
                  </small>
                </a>
              </li>
            );
          })}
        </ol>
      </nav>
    </aside>
  );
}

/** Nothing is missing that portals need. */
function Met() {
  const { met } = useTexts('properties').form;
  return (
    <span class="good" role="img" aria-label={met}>
      ✓
    </span>
  );
}

/** Whether the form of a property has a field: status and sale price are those of its unit. */
function isOwn({ candidate }: Shown, { name }: FormField): boolean {
  return candidate.unit === null || !['status', 'price'].includes(name);
}

/** A part of lines, then boxes, then longer texts. */
function Plain({
  part,
  shown,
  children,
}: Omit<FieldListProps, 'fields'> & { readonly part: FormPart; readonly children?: Child }) {
  const texts = useTexts('properties').form;
  const fields: readonly FormField[] = FORM[part];
  const own = fields.filter((field) => isOwn(shown, field));
  const isLong = ({ kind }: FormField) => kind === 'long' || kind === 'coordinates';
  const lines = own.filter((field) => !isBox(field) && !isLong(field));
  return (
    <Card title={texts.parts[part]} id={part} more={textOf(texts.notes, part, '')}>
      <FieldList fields={own.filter(({ kind }) => kind === 'coordinates')} shown={shown} />
      <div class="fields thirds keep">
        <FieldList fields={lines} shown={shown} />
      </div>
      <Ticks fields={own.filter(isBox)} shown={shown} />
      <FieldList fields={own.filter(({ kind }) => kind === 'long')} shown={shown} />
      {children}
    </Card>
  );
}

/** Boxes as chips. */
function Ticks({ fields, shown }: FieldListProps) {
  const texts = useTexts('properties').form;
  if (fields.length === 0) return null;
  return (
    <fieldset class="ticks" aria-label={texts.also}>
      {fields.map(({ name }) => (
        <Tick
          name={name}
          checked={shown.typed[name] === '1'}
          autofocus={shown.focused === name}
          text={textOf(texts.fields, name)}
        />
      ))}
    </fieldset>
  );
}

/** What it is offered for: each offer is a box with its own fields. */
function Offers(shown: Shown) {
  const texts = useTexts('properties').form;
  const fields: readonly FormField[] = FORM.offer;
  const own = fields.filter((field) => isOwn(shown, field));
  return (
    <Card title={texts.parts.offer} id="offer" more={texts.notes.offer}>
      <div class="offers">
        {own.filter(isBox).map((box) => (
          <div class="group">
            <Choice
              id={box.name}
              name={box.name}
              checked={shown.typed[box.name] === '1'}
              text={textOf(texts.fields, box.name)}
            />
            <div class="fields thirds keep">
              <FieldList fields={own.filter(({ of }) => of === box.name)} shown={shown} />
            </div>
          </div>
        ))}
      </div>
      <div class="fields thirds">
        <FieldList fields={own.slice(-1)} shown={shown} />
      </div>
    </Card>
  );
}

/** The letters of the certificate, as on its label. */
function Energy({ typed, focused }: Shown) {
  const texts = useTexts('properties').form;
  const [consumption, emissions, status] = FORM.energy as readonly FormField[];
  const letters = [consumption!, emissions!].map(({ name, choices }) => {
    const isChosen = (letter: string) => (typed[name] || 'X') === letter;
    return (
      <fieldset class="field">
        <legend>{textOf(texts.fields, name)}</legend>
        <div class="scale">
          {choices!.slice(0, -1).map((letter) => (
            <label class={`letter l${letter.toLowerCase()}`}>
              <input
                class="vh"
                type="radio"
                name={name}
                value={letter}
                checked={isChosen(letter)}
              />
              {letter}
            </label>
          ))}
        </div>
        <div class="ticks">
          <Tick
            type="radio"
            name={name}
            value="X"
            checked={isChosen('X')}
            autofocus={focused === name}
            text={texts.choices.X}
          />
        </div>
      </fieldset>
    );
  });
  return (
    <Card title={texts.parts.energy} id="energy" more={texts.notes.energy}>
      <div class="fields keep">{letters}</div>
      <fieldset class="ticks" aria-label={textOf(texts.fields, status!.name)}>
        <span class="muted small">{texts.noLetters}</span>
        {status!.choices!.map((choice) => (
          <Tick
            type="radio"
            name={status!.name}
            value={choice}
            checked={(typed[status!.name] ?? '') === choice}
            text={textOf(texts.choices, choice)}
          />
        ))}
      </fieldset>
    </Card>
  );
}

function Features(shown: Shown) {
  const { language } = useVisitor();
  const texts = useTexts('properties').form;
  const { typed, names, errors, focused } = shown;
  const chosen = linesOf(typed.features ?? '');
  const known = new Set(featureNames(names, language).map((name) => name.toLowerCase()));
  const others = chosen.filter((name) => !known.has(name.toLowerCase()));
  return (
    <Card title={texts.parts.features} id="features" more={texts.chosen({ count: chosen.length })}>
      <Hidden values={{ features: '' }} />
      <FeatureTicks within="features" name="features" names={names} chosen={chosen} />
      <fieldset class="featured" aria-label={texts.otherFeature}>
        <h3>
          {texts.otherFeature}
          <small>{texts.ownWords}</small>
        </h3>
        <div class="stack close">
          <div class="ticks">
            {others.map((name) => (
              <Tick name="features" value={name} checked text={name} />
            ))}
          </div>
          <div class="bar">
            <Input
              name="features"
              id="other-feature"
              type="text"
              aria-label={texts.otherFeature}
              value=""
              placeholder={texts.featureExample}
              autocomplete="off"
              autofocus={focused === 'features'}
              error={errors.features ?? errors[sureOf('features', typed.features)]}
              below={<Sure name="features" shown={shown} />}
            />
            <Button
              type="button"
              data-adds="other-feature"
              hidden
              icon="plus"
              text={texts.addFeature}
            />
          </div>
        </div>
      </fieldset>
    </Card>
  );
}

/** The texts, a tab for each language: those of the pages first, then those that are written. */
function Texts(shown: Shown) {
  const texts = useTexts('properties').form;
  const { typed, errors, focused } = shown;
  const fieldsOf = (element: string): readonly FormField[] =>
    FORM.texts.filter(({ name }) => name.endsWith(`-${element}`));
  const isWritten = (element: string) => fieldsOf(element).some(({ name }) => typed[name]);
  const written = TEXT_LANGUAGES.filter(isWritten).length;
  return (
    <Card
      title={texts.parts.texts}
      id="texts"
      more={texts.languages({ count: written, total: TEXT_LANGUAGES.length })}
    >
      <LanguageTabs
        languages={TEXT_LANGUAGES}
        lengthOf={(element) => typed[`description-${element}`]?.length ?? 0}
        isWanted={(element) =>
          fieldsOf(element).some(({ name }) => errors[name] || name === focused)
        }
        panelOf={(element) => (
          <FieldList fields={fieldsOf(element)} shown={shown} lang={isoCode(element)} />
        )}
      />
    </Card>
  );
}

/** What each portal makes of it, what the report would say, and where it may go. */
function Portals(shown: Shown) {
  const texts = useTexts('properties');
  const { standings, switches, lacks, candidate, stored, errors, report } = shown;
  const fields: readonly FormField[] = FORM.portals;
  const count = report.rules.length;
  const { switchesWhy } = useTexts('portals');
  return (
    <Card
      title={texts.form.parts.portals}
      id="portals"
      more={candidate.status === 'Withdrawn' ? texts.form.onceListed : switchesWhy}
    >
      <SwitchList
        standings={standings}
        switches={switches}
        lacks={lacks}
        row={stored?.row}
        errors={errors}
        isOpen
      />
      <Ticks fields={fields.filter(isBox)} shown={shown} />
      <details open={errors.channels !== undefined}>
        <summary>{texts.form.advanced}</summary>
        <FieldList fields={fields.filter((field) => !isBox(field))} shown={shown} />
      </details>
      <details id="findings" open={stored !== undefined}>
        <summary>
          <span id="found" data-live>
            {count === 0 ? texts.nothingToFix : texts.form.reported({ count })}
          </span>
        </summary>
        <div id="reported" data-live>
          <Todos items={findingTodos(report, (node) => toField(node, shown))} />
        </div>
      </details>
    </Card>
  );
}

/** A link to the field that a node of a finding shows. */
function toField(node: string, { stored }: Shown): Child {
  const texts = textsOf(useVisitor(), 'properties');
  if (isOfPictures(node))
    return (
      stored && <ButtonLink href={picturesPath(stored.document.id)} text={texts.photographs} />
    );
  const field = FIELDS.find(({ name }) => name === fieldOfNode(node));
  if (field === undefined) return null;
  const part = PARTS.find(
    (one) => one !== 'pictures' && (FORM[one] as readonly FormField[]).includes(field),
  );
  const href = hrefOf({ field: field.name, part });
  return <ButtonLink href={href} text={fieldText(field.name, useVisitor())} />;
}

/** What a text was understood as, where that is not what was typed. */
function understood(visitor: Visitor, { kind, name }: FormField, shown: Shown): Child {
  const text = shown.typed[name] ?? '';
  if (text === '' || !['price', 'amount', 'area', 'coordinates'].includes(kind)) return null;
  const { language } = visitor;
  const texts = textsOf(visitor, 'properties').form;
  const { country, province, built_area } = shown.candidate;
  const read = readText(kind, text, { country, province });
  if ('error' in read) return <span class="bad">{texts.errors[read.error]}</span>;
  if (kind === 'coordinates') {
    const { latitude, longitude } = read.value as { latitude: number; longitude: number };
    const degrees = [latitude, longitude].map((one) => one.toFixed(5)).join(', ');
    return <a href={`geo:${latitude},${longitude}`}>{degrees}</a>;
  }
  const value = read.value as number;
  if (kind === 'area') return `${formatNumber(value, language)} m²`;
  const money = (amount: number) => formatMoney(amount, currencyOf(shown.typed), language);
  const perArea = name === 'price' && built_area && money(Math.round(value / built_area));
  return perArea ? `${money(value)} · ${texts.perArea({ price: perArea })}` : money(value);
}

/** The box that confirms what is asked about a field. */
function Sure({
  name,
  shown: { errors, typed },
}: {
  readonly name: string;
  readonly shown: Shown;
}) {
  const texts = useTexts('properties').form.doubts;
  const sure = sureOf(name, typed[name]);
  if (errors[sure] === undefined) return null;
  return <Choice name="sure" value={sure} checked={false} text={texts.sure} />;
}

interface FieldListProps {
  readonly fields: readonly FormField[];
  readonly shown: Shown;
  readonly lang?: string;
}

function FieldList({ fields, ...props }: FieldListProps) {
  return fields.map((field) => <Field field={field} {...props} />);
}

function Field({
  field,
  shown,
  lang,
}: Omit<FieldListProps, 'fields'> & { readonly field: FormField }) {
  const visitor = useVisitor();
  const texts = useTexts('properties').form;
  const { name, kind, required, choices, list } = field;
  const { typed, errors, focused } = shown;
  const [what = name] = name.split('-');
  const isLines = kind === 'long' || kind === 'lines';
  const error = errors[name] ?? errors[sureOf(name, typed[name])];
  return (
    <Input
      name={name}
      label={textOf(texts.fields, what)}
      error={error}
      hint={textOf(texts.hints, name, '') || undefined}
      required={required}
      autocomplete="off"
      autofocus={name === focused}
      lang={lang}
      value={typed[name] ?? ''}
      type="text"
      list={list}
      data-new={kind === 'type' ? texts.newType : undefined}
      data-step={kind === 'count' ? '1' : undefined}
      options={choices?.map((one) => [one, textOf(visitor.common.statuses, one)])}
      rows={isLines ? (lang ? 8 : 3) : undefined}
      inputmode={['price', 'amount', 'area'].includes(kind) ? 'decimal' : undefined}
      below={
        <>
          <output class="understood" id={`${name}-read`} for={name} data-live>
            {error === undefined && understood(visitor, field, shown)}
          </output>
          <Sure name={name} shown={shown} />
        </>
      }
    />
  );
}

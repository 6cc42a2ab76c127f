import { choicesOf } from '../../imports/runs/names.ts';
import { similarNames } from '../../lib/similar.ts';
import { statusOf } from '../../problem.ts';
import type { PropertyOperation, Understood } from '../../properties/api/schemas.ts';
import { propertyTag, writeProperties } from '../../properties/api/write.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { listProperties, withFacts } from '../../properties/store/listings.ts';
import { type Done, definePage, type Refusal } from '../define-page.tsx';
import { UNCHANGED } from '../flash.tsx';
import { formatPrice, languageName } from '../format.ts';
import { Choice, Hidden, Input, Submit } from '../frame/form.tsx';
import { Card } from '../frame/parts.tsx';
import { propertyPath, unitPath, withQuery } from '../paths.ts';
import { inWords, textOf, textsOf } from '../texts/texts.ts';
import { actorOf, type Page, useGuest, useTexts, useVisitor, type Visitor } from '../visit.ts';
import { type Doubt, doubtsOf, isCompared } from './doubts.ts';
import { FIELDS, FORM, type FormField, fieldOfNode, isBox, TEXT_LANGUAGES } from './fields.ts';
import {
  changeOf,
  digestsOf,
  fieldErrors,
  SURE_OF_ALL,
  shownFields,
  sureOf,
  type Typed,
  typedFields,
  typedOver,
  undoneFields,
} from './form.ts';
import { feedLanguage, loadProperty, type Names, readNames } from './property.ts';

/** The form of a property, or of a new one without an `id`. */
export const propertyForm = definePage<PropertyDocument | undefined>({
  find: async (visitor) => {
    const id = visitor.c.req.query('id');
    return id === undefined ? undefined : ((await loadProperty(visitor, id))?.document ?? null);
  },
  show: async (visitor, subject, form) => {
    const names = await readNames(visitor);
    const shown = shownFields(subject, names, visitor.language);
    if (form.typed === undefined) {
      const focused = fieldOfNode(visitor.c.req.query('node') ?? '');
      return formPage(visitor, subject, { shown, typed: shown, names, focused });
    }
    const { typed, conflicts } = readSent(subject, shown, form.typed, names);
    const { currently } = textsOf(visitor, 'properties').form;
    const values = conflicts.map((name) => [name, currently({ value: shown[name] || '—' })]);
    const errors = { ...Object.fromEntries(values), ...form.errors };
    return formPage(visitor, subject, { shown, typed, names, errors });
  },
  actions: { save },
  create: save,
});

/** What was typed into a form of a stored property, over what others have changed since; or into that of a new one. */
function readSent(
  document: PropertyDocument | undefined,
  shown: Typed,
  fields: URLSearchParams,
  names: Names,
) {
  const typed = typedFields(fields);
  if (document === undefined) return { typed, conflicts: [] };
  return typedOver(shown, typed, fields.get('first') ?? '', names);
}

/**
 * Saves what was typed differently; if somebody else has changed the same field in the meantime, shows both. What is saved can
 * be undone by a form with the values before: it is refused where a field has changed again.
 */
async function save(
  visitor: Visitor,
  document: PropertyDocument | undefined,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const { account, language } = visitor;
  const texts = textsOf(visitor, 'properties').form;
  const names = await readNames(visitor);
  const shown = document === undefined ? {} : shownFields(document, names, language);
  const { typed, conflicts } = readSent(document, shown, fields, names);
  const { patch, errors: wrong } = changeOf(typed, shown, names);
  // A form that is sent again has nothing left to change.
  if (document !== undefined && Object.keys({ ...patch, ...wrong }).length === 0)
    return { next: propertyPath(document.id), flash: UNCHANGED };
  const operation: PropertyOperation =
    document === undefined
      ? { op: 'put', id: (typed.id ?? '').trim(), property: patch, if_none_match: '*' }
      : { op: 'patch', id: document.id, patch, if_match: propertyTag(document) };
  const write = async (validate: boolean) => {
    const options = { actor: actorOf(visitor), atomic: true, validate, now: visitor.now };
    return (await writeProperties(visitor.c, account.id, [operation], options))[0]!;
  };
  const tried = await write(true);
  const found = 'problem' in tried ? tried.problem! : undefined;
  const errors = {
    ...fieldErrors(found?.errors ?? [], language),
    ...Object.fromEntries(Object.entries(wrong).map(([name, why]) => [name, texts.errors[why]])),
  };
  if (conflicts.length > 0) return { status: 412, why: texts.conflict, errors };
  if (Object.keys(errors).length > 0) return { errors };
  if ('property' in tried && tried.property !== null) {
    const doubts = await findDoubts(visitor, document, tried.property, tried.understood);
    const sure = fields.getAll('sure');
    const isSure = ({ field }: Doubt) =>
      sure.some((one) => [SURE_OF_ALL, sureOf(field, typed[field])].includes(one));
    const open = doubts.filter((doubt) => !isSure(doubt));
    if (open.length > 0) return { why: texts.unsure, errors: asked(visitor, open, names, typed) };
  }
  const result = found === undefined ? await write(false) : tried;
  if ('problem' in result) {
    const { code, reason, parameters } = result.problem!;
    if (reason !== undefined)
      return { status: statusOf({ code }), why: inWords(language, { code: reason, parameters }) };
    return {
      status: 412,
      ...(document ? { why: texts.conflict } : { errors: { id: texts.idTaken } }),
    };
  }
  const { property } = result;
  const next = propertyPath(operation.id);
  const done = { did: 'property.changed', with: operation.id, next };
  const messages = [{ code: 'propertySaved' }] as const;
  if (document === undefined || property === null) return { ...done, flash: { messages } };
  const now = shownFields(property, await readNames(visitor), language);
  const undo = {
    path: withQuery('/property/edit', { id: document.id }),
    does: 'save',
    fields: undoneFields(shown, now),
  };
  return { ...done, flash: { messages, undo } };
}

/** The most properties of the same type and town that a new price or area is compared with. */
const NEIGHBOURS = 50;

async function findDoubts(
  { db, account }: Visitor,
  before: PropertyDocument | undefined,
  after: PropertyDocument,
  understood: readonly Understood[],
): Promise<Doubt[]> {
  if (!isCompared(before, after)) return doubtsOf(before, after, [], understood);
  const { id, type, town } = after;
  const alike = { type, town, order: 'changed', limit: NEIGHBOURS } as const;
  const rows = await listProperties(db, account.id, alike);
  const others = await withFacts(
    db,
    account.id,
    rows.filter(({ identifier }) => identifier !== id),
  );
  const neighbours = others.map(({ document }) => document);
  return doubtsOf(before, after, neighbours, understood);
}

/** What is asked at fields, by their names. */
function asked(
  visitor: Visitor,
  doubts: readonly Doubt[],
  names: Names,
  typed: Typed,
): Readonly<Record<string, string>> {
  const { language } = visitor;
  const texts = textsOf(visitor, 'properties').form.doubts;
  const sentences = doubts.map((doubt) => {
    if (doubt.why !== 'newName') {
      const [value, usual] = [doubt.value, doubt.usual].map((one) => formatPrice(one, language));
      return texts[doubt.why]({ value: value!, usual: usual! });
    }
    const known = doubt.field === 'type' ? names.types : names.features;
    const similar = similarNames(doubt.name, [...known.values()]);
    const options = similar.length > 0 ? texts.similar({ names: similar.join(', ') }) : '';
    return `${texts.newName({ name: doubt.name })} ${options}`.trim();
  });
  const fields = Map.groupBy(sentences, (_, index) => doubts[index]!.field);
  return Object.fromEntries(
    [...fields].map(([field, all]) => [sureOf(field, typed[field]), all.join(' ')]),
  );
}

interface State {
  /** The values now. */
  readonly shown: Typed;
  readonly typed: Typed;
  readonly names: Names;
  readonly errors?: Readonly<Record<string, string>>;
  /** The name of the field that a finding is about. */
  readonly focused?: string | undefined;
}

function formPage(visitor: Visitor, document: PropertyDocument | undefined, state: State): Page {
  const { language, common } = visitor;
  const texts = textsOf(visitor, 'properties').form;
  const unit = document?.unit;
  const ofUnit = ['status', 'price'];
  const cancel = document === undefined ? '/properties' : propertyPath(document.id);
  const types = new Set([
    ...state.names.types.values(),
    ...choicesOf('types', feedLanguage(language).element).values(),
  ]);
  return {
    title: document === undefined ? texts.addTitle : texts.editTitle({ ref: document.ref }),
    lead: unit ? (
      <>
        {texts.ofUnit} <a href={unitPath(unit.development, unit.name)}>{unit.name}</a>
      </>
    ) : (
      texts.lead
    ),
    crumbs: document === undefined ? [] : [{ name: document.ref, href: cancel }],
    content: (
      <form method="post" class="stack" data-keep>
        {document === undefined ? (
          <Card title={texts.id}>
            <Input
              name="id"
              label={texts.id}
              hint={texts.idHint}
              error={state.errors?.id}
              value={state.typed.id}
              required
              maxlength={100}
              autocomplete="off"
            />
          </Card>
        ) : (
          <Hidden values={{ first: digestsOf(state.shown) }} />
        )}
        <datalist id="types">
          {[...types].map((name) => (
            <option value={name} />
          ))}
        </datalist>
        {Object.entries(FORM).map(([part, fields]) => (
          <Card title={textOf(texts.parts, part)}>
            {part === 'texts' ? (
              <TextFields state={state} />
            ) : (
              <Part
                fields={fields.filter(({ name }) => !unit || !ofUnit.includes(name))}
                state={state}
              />
            )}
          </Card>
        ))}
        <Submit cancel={cancel} text={common.save} />
      </form>
    ),
  };
}

/** The fields of a part: what is typed into a line, boxes that have their own fields, other boxes, and longer texts. */
function Part({ fields, state }: { readonly fields: readonly FormField[]; readonly state: State }) {
  const show = (shown: readonly FormField[]) =>
    shown.map((field) => <Field field={field} state={state} />);
  const owners = new Set(FIELDS.map(({ of }) => of));
  const boxes = fields.filter(isBox);
  const others = fields.filter((field) => field.of === undefined && !isBox(field));
  const plain = boxes.filter(({ name }) => !owners.has(name));
  return (
    <div class="fields thirds">
      {show(others.filter((field) => !isLong(field)))}
      {boxes
        .filter(({ name }) => owners.has(name))
        .map((box) => (
          <div class="group wide">
            {show([box])}
            <div class="fields thirds">{show(fields.filter(({ of }) => of === box.name))}</div>
          </div>
        ))}
      {plain.length > 0 && <div class="choices wide">{show(plain)}</div>}
      {show(others.filter(isLong))}
    </div>
  );
}

/** The texts by language; those that are written, wrong or wanted are unfolded, and always those of the pages' languages. */
function TextFields({ state }: { readonly state: State }) {
  const { language } = useGuest();
  return TEXT_LANGUAGES.map((element, index) => {
    const fields = FORM.texts.filter(({ name }) => name.endsWith(`-${element}`));
    const isOpen = ({ name }: FormField) =>
      state.typed[name] || state.errors?.[name] || name === state.focused;
    return (
      <details open={index < 2 || fields.some(isOpen)}>
        <summary>{languageName(element, language)}</summary>
        <div class="fields thirds">
          {fields.map((field) => (
            <Field field={field} state={state} />
          ))}
        </div>
      </details>
    );
  });
}

function isLong({ kind, name }: FormField): boolean {
  return isInLines(kind) || name.includes('-');
}

function isInLines(kind: FormField['kind']): boolean {
  return ['long', 'lines', 'features'].includes(kind);
}

function Field({
  field,
  state: { typed, errors, focused },
}: {
  readonly field: FormField;
  readonly state: State;
}) {
  const { language, common } = useVisitor();
  const all = useTexts('properties');
  const texts = all.form;
  const { name, kind, required = false, choices } = field;
  const [what, element] = name.split('-');
  const spoken = TEXT_LANGUAGES.find((one) => one === element);
  const label =
    spoken === undefined
      ? textOf(texts.fields, name)
      : texts[what === 'title' ? 'title' : 'description']({
          language: languageName(spoken, language),
        });
  const sure = sureOf(name, typed[name]);
  const doubt = errors?.[sure];
  const error = errors?.[name] ?? doubt;
  // What is wrong with coordinates says the same as their hint.
  const location = error === undefined ? texts.locationHint : undefined;
  const hint = { price: texts.onRequest, type: texts.typeHint, location }[name];
  const input = (
    <Input
      name={name}
      label={label}
      error={error}
      hint={hint}
      required={required}
      autocomplete="off"
      autofocus={name === focused}
      wide={isLong(field)}
      value={typed[name] ?? ''}
      type={isBox(field) ? 'checkbox' : 'text'}
      list={kind === 'type' ? 'types' : undefined}
      options={choices?.map((one) => [
        one,
        textOf(texts.choices, one, textOf(common.statuses, one)),
      ])}
      rows={isInLines(kind) ? 8 : undefined}
      inputmode={['price', 'amount', 'area'].includes(kind) ? 'decimal' : 'text'}
    />
  );
  if (doubt === undefined) return input;
  return (
    <div>
      {input}
      <Choice name="sure" value={sure} checked={false} text={texts.doubts.sure} />
    </div>
  );
}

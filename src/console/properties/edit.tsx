import type { Detail } from '../../db/schema.ts';
import { similarNames } from '../../lib/similar.ts';
import { statusOf } from '../../problem.ts';
import type { PropertyOperation } from '../../properties/api/schemas.ts';
import { propertyTag, writeProperties } from '../../properties/api/write.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { readPlaces } from '../../properties/store/neighbours.ts';
import { findByReference, nextReference } from '../../properties/store/references.ts';
import { loadAccountState } from '../../rules/report/account-state.ts';
import { listingOf, type UnitListing } from '../../units/listing.ts';
import { readUnit } from '../../units/units.ts';
import { type Done, definePage, type Refusal } from '../define-page.tsx';
import { UNCHANGED } from '../flash.tsx';
import { propertyPath, withQuery } from '../paths.ts';
import { loadPortals } from '../portals/portal.ts';
import {
  candidateFor,
  loadSwitches,
  movedBack,
  moveSwitches,
  positionsIn,
} from '../portals/switches.tsx';
import { inWords, textsOf } from '../texts/texts.ts';
import { loadDevelopment } from '../units/development.tsx';
import { actorOf, type Visitor } from '../visit.ts';
import { type Doubt, doubtsAbout, doubtText, nameDoubts } from './doubts.ts';
import { editorPage, type Stored } from './editor.tsx';
import { fieldOfNode } from './fields.ts';
import {
  changeOf,
  currencyOf,
  fieldErrors,
  SURE_OF_ALL,
  shownFields,
  statusAfter,
  sureOf,
  type Typed,
  typedFields,
  typedOver,
  undoneFields,
} from './form.ts';
import { candidateOf, ofUnit } from './needs.ts';
import { loadProperty, type Names, readNames } from './property.ts';

/** The form of a property, or of a new one without an `id`. */
export const propertyForm = definePage<Stored | undefined>({
  find: async (visitor) => {
    const id = visitor.c.req.query('id');
    return id === undefined ? undefined : await loadProperty(visitor, id);
  },
  show: async (visitor, stored, form) => {
    const { db, account } = visitor;
    const [names, places, portals, { settings }, switches] = await Promise.all([
      readNames(visitor),
      readPlaces(db, account.id),
      loadPortals(visitor),
      loadAccountState(db, account.id),
      loadSwitches(visitor, stored?.document.id),
    ]);
    const shown = shownFields(stored?.document, names, visitor.language);
    const { errors } = form;
    const own = stored === undefined ? await unitListing(visitor) : null;
    const positions = positionsIn(form.typed ?? new URLSearchParams());
    const at = { stored, own, names, places, portals, settings };
    const editing = { ...at, positions, switches, shown, errors };
    if (form.typed === undefined || form.typed.get('do') === 'delete') {
      const focused = fieldOfNode(visitor.c.req.query('node') ?? '');
      const ref = stored ? undefined : await nextReference(db, account.id);
      const filled = own
        ? {
            ...shownFields(candidateOf(undefined, own, visitor.now), names, visitor.language),
            ...UNSAID,
          }
        : shown;
      const typed = ref ? { ...filled, ref } : filled;
      return editorPage(visitor, { ...editing, typed, focused });
    }
    const { typed, conflicts } = readSent(stored?.document, shown, form.typed, names);
    const { currently } = textsOf(visitor, 'properties').form;
    const values = conflicts.map((name) => [name, currently({ value: shown[name] || '—' })]);
    const all = { ...Object.fromEntries(values), ...errors };
    return editorPage(visitor, { ...editing, typed, errors: all });
  },
  actions: {
    save,
    withhold: save,
    list: save,
    check: save,
    delete: async (visitor, { document: { id, ref } }) => {
      const { c, account, now } = visitor;
      const options = { actor: actorOf(visitor), atomic: true, now };
      await writeProperties(c, account.id, [{ op: 'delete', id, purge: true }], options);
      const messages = [{ code: 'propertyDeleted', values: { ref } }] as const;
      return { did: 'property.deleted', with: id, next: '/properties', flash: { messages } };
    },
  },
  create: save,
});

/** What nobody has said yet of a new listing. */
const UNSAID = { ref: '', type: '', minimum: '' };

/** The listing of the unit that the query names, which has yet to be created; `null` if it names none. */
async function unitListing(visitor: Visitor): Promise<UnitListing | null> {
  const { c, db, account } = visitor;
  const { development = '', unit } = c.req.query();
  if (unit === undefined) return null;
  const address = { accountId: account.id, development, name: unit.normalize('NFC') };
  const [found, of] = await Promise.all([
    readUnit(db, address, 0),
    loadDevelopment(visitor, development),
  ]);
  return found.kind === 'unit' && of ? listingOf(found.unit, of.details) : null;
}

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
  stored: Stored | undefined,
  fields: URLSearchParams,
): Promise<Done | Refusal> {
  const button = fields.get('do');
  // The script asks what follows from what is typed.
  if (button === 'check') return { status: 200, why: '' };
  const { db, account, language } = visitor;
  const document = stored?.document;
  const texts = textsOf(visitor, 'properties').form;
  const names = await readNames(visitor);
  const shown = document === undefined ? {} : shownFields(document, names, language);
  const sent = readSent(document, shown, fields, names);
  const { conflicts } = sent;
  const own = document === undefined ? await unitListing(visitor) : null;
  // A unit has a status of its own.
  const status = sent.typed.status ?? shown.status ?? (own ? 'Available' : '');
  const typed: Typed = { ...sent.typed, status: statusAfter(button, status) };
  const { patch, errors: wrong } = changeOf(typed, shown, names);
  // A form that is sent again has nothing left to change.
  const positions = positionsIn(fields);
  const isSame = Object.keys({ ...patch, ...wrong }).length + positions.size === 0;
  if (document !== undefined && isSame)
    return { next: propertyPath(document.id), flash: UNCHANGED };
  // Nobody has to invent an identifier.
  const ref = typed.ref ?? '';
  const id = typed.id || ref.slice(0, MAX_IDENTIFIER).trim();
  const operation: PropertyOperation =
    document === undefined
      ? {
          op: 'put',
          id,
          property: own ? ofUnit(own, patch) : patch,
          if_none_match: '*',
        }
      : { op: 'patch', id: document.id, patch, if_match: propertyTag(document) };
  const write = async (what: PropertyOperation, validate: boolean) => {
    const options = { actor: actorOf(visitor), atomic: true, validate, now: visitor.now };
    return (await writeProperties(visitor.c, account.id, [what], options))[0]!;
  };
  const tried = await write(operation, true);
  const found = 'problem' in tried ? tried.problem! : undefined;
  // Without a reference there is no identifier either, which is said once.
  const ofApi = fieldErrors(found?.errors ?? [], language, ref === '' ? 'ref' : 'id');
  const errors = {
    ...ofApi,
    ...Object.fromEntries(Object.entries(wrong).map(([name, why]) => [name, texts.errors[why]])),
  };
  if (conflicts.length > 0) return { status: 412, why: texts.conflict, errors };
  if (Object.keys(errors).length > 0) return { errors };
  const refuseTaken = async (): Promise<Refusal> => {
    if (typed.id) return { status: 412, errors: { id: texts.idTaken } };
    const next = (await nextReference(db, account.id, ref)) ?? '';
    return { status: 412, errors: { ref: texts.refTaken({ next }) } };
  };
  if (document === undefined && !typed.id && (await findByReference(db, account.id, ref)) !== null)
    return refuseTaken();
  if ('property' in tried && tried.property !== null) {
    const { property: after } = tried;
    const numbers = await doubtsAbout(visitor, [{ before: document, after }]);
    const doubts = [...nameDoubts(tried.understood), ...(numbers.get(after.id) ?? [])];
    const sure = fields.getAll('sure');
    const isSure = ({ field }: Doubt) =>
      sure.some((one) => [SURE_OF_ALL, sureOf(field, typed[field])].includes(one));
    const open = doubts.filter((doubt) => !isSure(doubt));
    if (open.length > 0) return { why: texts.unsure, errors: asked(visitor, open, names, typed) };
  }
  const portals = positions.size === 0 ? [] : await loadPortals(visitor);
  const move = async (property: PropertyDocument | null, isOn: boolean) => {
    if (property === null) return { moved: [] };
    const candidate = candidateFor(property, stored?.row, true, names.vocabulary);
    return moveSwitches(visitor, portals, candidate, positions, isOn);
  };
  // A portal that is switched off never gets what is saved with it.
  const off = await move('property' in tried ? tried.property : null, false);
  if ('errors' in off) return { errors: off.errors };
  // A switch has dated the property.
  const dated = off.moved.length > 0 && document && (await loadProperty(visitor, document.id));
  const meant = dated ? { ...operation, if_match: propertyTag(dated.document) } : operation;
  const result = found === undefined ? await write(meant as PropertyOperation, false) : tried;
  if ('problem' in result) {
    const { code, reason, parameters } = result.problem!;
    if (reason !== undefined)
      return { status: statusOf({ code }), why: inWords(language, { code: reason, parameters }) };
    return document ? { status: 412, why: texts.conflict } : refuseTaken();
  }
  const { property } = result;
  const next = propertyPath(operation.id);
  const on = await move(property, true);
  if ('errors' in on) return { errors: on.errors };
  const now = property && shownFields(property, await readNames(visitor), language);
  const details = [...(document ? fieldDetails(shown, now ?? {}) : []), ...off.moved, ...on.moved];
  const done = { did: 'property.changed', with: operation.id, next, details };
  const isWithheld = property?.status === 'Withdrawn';
  const messages = [{ code: isWithheld ? 'propertyWithheld' : 'propertySaved' }] as const;
  if (document === undefined || now === null) return { ...done, flash: { messages } };
  const undo = {
    path: withQuery('/property/edit', { id: document.id }),
    does: 'save',
    fields: { ...undoneFields(shown, now), ...movedBack(positions) },
  };
  return { ...done, flash: { messages, undo } };
}

/** The fields that were changed, for the log. */
function fieldDetails(before: Typed, after: Typed): Detail[] {
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);
  return names.map((name) => [name, before[name] || null, after[name] || null]);
}

/** The longest identifier. */
const MAX_IDENTIFIER = 100;

/** What is asked at fields, by their names. */
function asked(
  visitor: Visitor,
  doubts: readonly Doubt[],
  names: Names,
  typed: Typed,
): Readonly<Record<string, string>> {
  const texts = textsOf(visitor, 'properties').form.doubts;
  const sentences = doubts.map((doubt) => {
    if (doubt.why !== 'newName') return doubtText(doubt, currencyOf(typed), visitor);
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

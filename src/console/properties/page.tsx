import type { Detail } from '../../db/schema.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { addressOf } from '../../properties/pictures.ts';
import type { ListedRow } from '../../properties/store/listings.ts';
import type { Report } from '../../rules/report.ts';
import { definePage } from '../define-page.tsx';
import { UNCHANGED } from '../flash.tsx';
import { formatMoney, isoCode, languageName } from '../format.ts';
import { Submit } from '../frame/form.tsx';
import { Ago, ButtonLink, Card, Facts, Notice, Status, type Todo, Todos } from '../frame/parts.tsx';
import { ChangesCard, loadChanges } from '../home/changes.tsx';
import { picturesPath, propertyPath, unitPath, withQuery } from '../paths.ts';
import { loadPortals } from '../portals/portal.ts';
import {
  candidateFor,
  loadSwitches,
  movedBack,
  moveSwitches,
  positionsIn,
  SwitchList,
  standingsOf,
} from '../portals/switches.tsx';
import { loadReport, whenChecked } from '../report/load.ts';
import { textOf, textsOf } from '../texts/texts.ts';
import { type FormState, type Page, useTexts, useVisitor, type Visitor } from '../visit.ts';
import type { Stored } from './editor.tsx';
import { findingTodos, isOfPictures } from './findings.tsx';
import {
  feedLanguage,
  loadProperty,
  offersOf,
  pricesText,
  readNames,
  roomsText,
} from './property.ts';

const HISTORY_DAYS = 1_095;
const HISTORY_SHOWN = 30;
const GALLERY_PICTURES = 5;
const FEATURES_SHOWN = 12;

/** A property, with switches of the portals that get it. */
export const property = definePage<Stored>({
  find: (visitor) => loadProperty(visitor, visitor.c.req.query('id') ?? ''),
  show: propertyPage,
  actions: {
    portals: async (visitor, { document, row }, fields) => {
      const positions = positionsIn(fields);
      const [names, portals] = await Promise.all([readNames(visitor), loadPortals(visitor)]);
      const candidate = candidateFor(document, row, true, names.vocabulary);
      const details: Detail[] = [];
      for (const isOn of [false, true]) {
        const result = await moveSwitches(visitor, portals, candidate, positions, isOn);
        if ('errors' in result) return result;
        details.push(...result.moved);
      }
      const { id } = document;
      const next = propertyPath(id);
      if (details.length === 0) return { next, flash: UNCHANGED };
      const undo = { path: next, does: 'portals', fields: movedBack(positions) };
      const messages = [{ code: 'propertySaved' }] as const;
      return { did: 'property.changed', with: id, next, details, flash: { messages, undo } };
    },
  },
});

/** Pictures, facts, texts, what becomes of it at each portal, what to fix, and its history. */
async function propertyPage(visitor: Visitor, shown: Stored, form: FormState): Promise<Page> {
  const { isEditor, common } = visitor;
  const texts = textsOf(visitor, 'properties');
  const { id } = shown.document;
  const [names, portals, switches, changes, report] = await Promise.all([
    readNames(visitor),
    loadPortals(visitor),
    loadSwitches(visitor, id),
    loadChanges(visitor, { identifier: id, days: HISTORY_DAYS, limit: HISTORY_SHOWN }),
    loadReport(visitor, { property: id }),
  ]);
  const { document, row } = shown;
  const features = document.features.map((code) => names.features.get(code) ?? code);
  const candidate = candidateFor(document, row, true, names.vocabulary);
  const positions = positionsIn(form.typed ?? new URLSearchParams());
  const standings = standingsOf(portals, candidate, positions);
  const toFix = findings(visitor, report, id);
  const edit = (
    <ButtonLink
      href={withQuery('/property/edit', { id })}
      icon="edit"
      kind="primary"
      text={texts.edit}
    />
  );
  const photographs = (
    <ButtonLink href={picturesPath(id)} icon="picture" text={texts.photographs} />
  );
  const nothing = {
    icon: 'check',
    tone: 'good',
    text: texts.nothingToFix,
    why: texts.nothingToFixWhy,
  } as const;
  return {
    title: [names.types.get(document.type) ?? document.type, document.area, document.town]
      .filter(Boolean)
      .join(', '),
    lead: (
      <>
        {[...new Set([document.ref, document.id])].join(' · ')} · {common.changed}{' '}
        <Ago seconds={row.changedAt} />
      </>
    ),
    actions: (
      <>
        <Status status={row.status} />
        {isEditor && photographs}
        {isEditor && edit}
      </>
    ),
    checkedIn: report?.checkedIn,
    content: (
      <div class="columns">
        <div class="stack">
          <Pictures document={document} />
          <Card title={texts.facts}>
            <Facts facts={factsOf(visitor, document, row, features)} />
          </Card>
          <Card
            title={texts.toFix}
            flush
            id="findings"
            empty={toFix.length === 0 && whenChecked(visitor, report?.checkedIn, nothing)}
          >
            <Todos items={toFix} />
          </Card>
          <Texts document={document} />
        </div>
        <aside class="stack">
          <Card
            title={common.portals}
            id="portals"
            empty={portals.length === 0 && { icon: 'portals', text: texts.noPortals }}
          >
            <form method="post" class="stack close" data-keep>
              <SwitchList
                standings={standings}
                switches={switches}
                row={row}
                errors={form.errors}
                isOpen={isEditor}
              />
              {isEditor && <Submit name="do" value="portals" text={common.save} />}
            </form>
          </Card>
          <ChangesCard
            title={texts.history}
            none={texts.noHistory}
            noneWhy={texts.noHistoryWhy}
            changes={changes}
            isOfOne
          />
        </aside>
      </div>
    ),
  };
}

/** The first pictures, and all of them to unfold. */
function Pictures({ document: { ref, pictures } }: { document: PropertyDocument }) {
  const texts = useTexts('properties');
  const addresses = pictures.map(addressOf).filter((address) => /^https?:/.test(address));
  const images = addresses.map((address, index) => (
    <img
      src={address}
      alt={`${texts.picture} ${index + 1}, ${ref}`}
      loading={index < GALLERY_PICTURES ? 'eager' : 'lazy'}
      referrerpolicy="no-referrer"
    />
  ));
  const count = images.length;
  if (count === 0) return <Notice kind="warn">{texts.noPicture}</Notice>;
  const kind = count === 1 ? 'one' : count < GALLERY_PICTURES ? 'few' : '';
  return (
    <>
      <div class={`gallery ${kind}`}>{images.slice(0, kind === 'few' ? 3 : GALLERY_PICTURES)}</div>
      {count > 1 && (
        <details>
          <summary>{texts.allPictures({ count })}</summary>
          <div class="pictures">{images}</div>
        </details>
      )}
    </>
  );
}

/** The facts of a property with their names; those that are not known are empty. */
function factsOf(
  visitor: Visitor,
  document: PropertyDocument,
  row: ListedRow,
  features: readonly string[],
) {
  const { language } = visitor;
  const texts = textsOf(visitor, 'properties');
  const list = (...parts: (string | false | null)[]) => parts.filter(Boolean).join(', ');
  const money = (value: number) => formatMoney(value, document.currency, language);
  const {
    address,
    area,
    town,
    postcode,
    province,
    country,
    consumption,
    emissions,
    location,
    unit,
  } = document;
  const minimum = document.offers.sale?.minimum_price ?? 0;
  const letter = (text: string) => (text === 'X' ? texts.unknown : text);
  const energy = texts.energyText({
    consumption: letter(consumption),
    emissions: letter(emissions),
  });
  const noEnergy = textOf(texts.energyStatus, document.energy_status ?? '', texts.unknown);
  const areas = (['built', 'living', 'terrace', 'plot'] as const).map((name) => {
    const size = document[`${name}_area`];
    return size !== null && texts[name]({ area: size });
  });
  const fees = {
    community: document.community_fees,
    ibi: document.ibi_fees,
    garbage: document.garbage_tax,
  };
  const costs = (['community', 'ibi', 'garbage'] as const).map((name) => {
    const amount = fees[name] ?? 0;
    return amount > 0 && texts[name]({ amount: money(amount) });
  });
  const { restrictions } = document;
  const websites = list(
    document.on_own_website && texts.ownWebsite,
    document.on_other_websites && texts.otherWebsites,
  );
  const kept = restrictions.map((name) => textOf(texts.form.fields, name));
  // This one decides, whatever else is marked.
  const marked = restrictions.includes('own_website_only')
    ? texts.form.fields.own_website_only
    : list(websites || texts.nowhere, ...kept);
  const coordinates = location && [location.latitude, location.longitude];
  const more = features.slice(FEATURES_SHOWN);
  return [
    [
      texts.price,
      <b>
        {list(...pricesText(document.currency, offersOf(document, row), visitor)) || texts.noOffer}
      </b>,
    ],
    [texts.minimum, minimum > 0 && money(minimum)],
    [texts.rooms, roomsText(document.beds, document.bath, language)],
    [texts.areas, list(...areas)],
    [texts.place, list(address, area, town, postcode, province, country)],
    [
      texts.coordinates,
      coordinates && (
        <a href={`geo:${coordinates.join()}`} title={texts.openMap}>
          {coordinates.map((degrees) => degrees.toFixed(5)).join(', ')}
        </a>
      ),
    ],
    [texts.energy, consumption === 'X' && emissions === 'X' ? noEnergy : energy],
    [texts.year, document.built_year],
    [texts.fees, list(...costs)],
    [texts.cadastral, document.cadastral_ref],
    [texts.license, document.offers.short_term?.license],
    [
      texts.features,
      features.length > 0 && (
        <>
          {features.slice(0, FEATURES_SHOWN).join(', ')}
          {more.length > 0 && (
            <details>
              <summary>{texts.more({ count: more.length })}</summary>
              {more.join(', ')}
            </details>
          )}
        </>
      ),
    ],
    [
      texts.unit,
      unit && (
        <a href={unitPath(unit.development, unit.name)}>{`${unit.development} ${unit.name}`}</a>
      ),
    ],
    [texts.marked, marked],
    [texts.commission, document.commission],
    [texts.notes, document.notes],
  ] as const;
}

function Texts({ document }: { document: PropertyDocument }) {
  const { language } = useVisitor();
  const texts = useTexts('properties');
  const own = feedLanguage(language).element;
  const written = Object.entries(document.texts).toSorted(
    ([a], [b]) => Number(b === own) - Number(a === own),
  );
  const none = { icon: 'file', text: texts.noTexts, why: texts.noTextsWhy } as const;
  return (
    <Card title={texts.texts} empty={written.length === 0 && none}>
      {written.map(([element, { title, description, url }], index) => (
        <details open={index === 0}>
          <summary>{languageName(element, language)}</summary>
          <div lang={isoCode(element)}>
            {title && <h3>{title}</h3>}
            <p class="prose">{description}</p>
          </div>
          {url && /^https?:/.test(url) && (
            <a href={url} rel="noreferrer">
              {texts.page}
            </a>
          )}
        </details>
      ))}
    </Card>
  );
}

function findings({ isEditor, language }: Visitor, report: Report | null, id: string): Todo[] {
  const texts = textsOf({ language }, 'properties');
  if (report === null) return [];
  return findingTodos(report, (node) => {
    const href = isOfPictures(node) ? picturesPath(id) : withQuery('/property/edit', { id, node });
    const text = isOfPictures(node) ? texts.photographs : texts.edit;
    return isEditor && <ButtonLink href={href} text={text} />;
  });
}

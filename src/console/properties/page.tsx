import type { Context } from 'hono';
import type { ListedRow } from '../../db/feed/listings.ts';
import type { AppEnv } from '../../env.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import type { Report } from '../../rules/report.ts';
import { Ago, formatAgo, formatMoney, isoCode, languageName } from '../format.tsx';
import { Icon, Logo } from '../frame/icon.tsx';
import { ButtonLink, Card, Facts, Item, Notice, SEVERITY_TONES, Status, type Todo, Todos } from '../frame/parts.tsx';
import { may, notFoundPage } from '../guards.tsx';
import { ChangesCard, loadChanges } from '../home/changes.tsx';
import { portalPath, propertyPath, query, unitPath } from '../paths.ts';
import { heldBy, leftOutOf, loadPortals, type PortalView, withRefused } from '../portals/portal.ts';
import { loadReport } from '../report/load.ts';
import { textOf } from '../texts/catalogue.ts';
import { PROPERTIES } from '../texts/texts.ts';
import { type Page, useTexts, useVisit, type Visitor, withTexts } from '../visit.ts';
import { elementOf, loadProperty, offersOf, pricesText, readNames, roomsText } from './property.ts';

const HISTORY_DAYS = 1_095;
const HISTORY_SHOWN = 30;
const GALLERY_PICTURES = 5;
const FEATURES_SHOWN = 12;

/** A property: pictures, facts, texts, what each portal has of it, what to fix, and its history. */
export async function showProperty(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language, now, texts } = withTexts(visitor, PROPERTIES);
  const { DB } = c.env;
  const id = c.req.query('id') ?? '';
  const [shown, names, readers, changes, report] = await Promise.all([
    loadProperty(DB, account.id, id),
    readNames(DB, account.id, language),
    loadPortals(DB, account.id, now),
    loadChanges(DB, account.id, visitor, { identifier: id, days: HISTORY_DAYS, limit: HISTORY_SHOWN }),
    loadReport(c, visitor, { property: id }),
  ]);
  if (shown === null) return notFoundPage(visitor);
  const { document, row } = shown;
  const features = document.features.map((code) => names.features.get(code) ?? code);
  const portals = await withRefused(c, visitor, readers, [row]);
  return {
    title: [names.types.get(document.type) ?? document.type, document.area, document.town].filter(Boolean).join(', '),
    lead: (
      <>
        {[...new Set([document.ref, document.id])].join(' · ')} · {texts.changed} <Ago seconds={row.changedAt} />
      </>
    ),
    actions: (
      <>
        <Status status={row.status} />
        {may(visitor, 'editor') && (
          <ButtonLink href={`/property/edit?${query({ id })}`} icon="edit" kind="primary">
            {texts.edit}
          </ButtonLink>
        )}
      </>
    ),
    content: (
      <div class="columns">
        <div class="stack">
          <Pictures document={document} showsAll={c.req.query('pictures') !== undefined} />
          <PropertyFacts document={document} row={row} features={features} />
          <Findings report={report} id={id} />
          <Texts document={document} />
        </div>
        <aside class="stack">
          <OnPortals portals={portals} row={row} />
          <ChangesCard title={texts.history} none={[texts.noHistory, texts.noHistoryWhy]} changes={changes} isOfOne />
        </aside>
      </div>
    ),
  };
}

/** The first pictures, which lead to all of them; or all. */
function Pictures({ document: { id, ref, pictures }, showsAll }: { document: PropertyDocument; showsAll: boolean }) {
  const texts = useTexts(PROPERTIES);
  const images = pictures
    .filter((address) => /^https?:/.test(address))
    .map((address, index) => (
      <img
        src={address}
        alt={`${texts.picture} ${index + 1}, ${ref}`}
        loading={index < GALLERY_PICTURES ? 'eager' : 'lazy'}
        referrerpolicy="no-referrer"
      />
    ));
  const count = images.length;
  if (count === 0) return <Notice kind="warn">{texts.noPicture}</Notice>;
  if (showsAll) {
    return (
      <Card title={texts.allPictures({ count })}>
        <div class="pictures">{images}</div>
      </Card>
    );
  }
  const kind = count === 1 ? 'one' : count < GALLERY_PICTURES ? 'few' : '';
  const shown = images.slice(0, kind === 'few' ? 3 : GALLERY_PICTURES);
  const more = count - shown.length;
  return (
    <div class={`gallery ${kind}`}>
      {shown.map((image, index) => (
        <a href={propertyPath(id, { pictures: '1' })}>
          {image}
          {more > 0 && index === shown.length - 1 && <span>{texts.morePictures({ count: more })}</span>}
        </a>
      ))}
    </div>
  );
}

interface FactsProps {
  readonly document: PropertyDocument;
  readonly row: ListedRow;
  readonly features: readonly string[];
}

function PropertyFacts({ document, row, features }: FactsProps) {
  const { visitor, texts } = useVisit(PROPERTIES);
  const list = (...parts: (string | false | null)[]) => parts.filter(Boolean).join(', ');
  const money = (value: number) => formatMoney(value, document.currency, visitor.language);
  const { address, area, town, postcode, province, country, beds, consumption, emissions, location, unit } = document;
  const minimum = document.offers.sale?.minimum_price ?? 0;
  const letter = (text: string) => (text === 'X' ? texts.unknown : text);
  const energy = texts.energyText({ consumption: letter(consumption), emissions: letter(emissions) });
  const noEnergy = textOf(texts.energyStatus, document.energy_status ?? '', texts.unknown);
  const areas = (['built', 'living', 'terrace', 'plot'] as const).map((name) => {
    const size = document[`${name}_area`];
    return size !== null && texts[name]({ area: size });
  });
  const fees = { community: document.community_fees, ibi: document.ibi_fees, garbage: document.garbage_tax };
  const costs = (['community', 'ibi', 'garbage'] as const).map((name) => {
    const amount = fees[name] ?? 0;
    return amount > 0 && texts[name]({ amount: money(amount) });
  });
  const marked = list(document.on_own_website && texts.ownWebsite, document.on_other_websites && texts.otherWebsites);
  const coordinates = location && [location.latitude, location.longitude];
  return (
    <Card title={texts.facts}>
      <Facts
        facts={[
          [texts.price, <b>{list(...pricesText(offersOf(row), visitor)) || texts.noOffer}</b>],
          [texts.minimum, minimum > 0 && money(minimum)],
          [texts.rooms, roomsText(beds, document.bath, visitor.language)],
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
          [texts.features, features.length > 0 && <Features features={features} />],
          [
            texts.unit,
            unit && <a href={unitPath(unit.development, unit.name)}>{`${unit.development} ${unit.name}`}</a>,
          ],
          [texts.marked, marked || texts.nowhere],
          [texts.commission, document.commission],
          [texts.notes, document.notes],
        ]}
      />
    </Card>
  );
}

function Features({ features }: { readonly features: readonly string[] }) {
  const more = features.slice(FEATURES_SHOWN);
  return (
    <>
      {features.slice(0, FEATURES_SHOWN).join(', ')}
      {more.length > 0 && (
        <details>
          <summary>{useTexts(PROPERTIES).more({ count: more.length })}</summary>
          {more.join(', ')}
        </details>
      )}
    </>
  );
}

function Texts({ document }: { readonly document: PropertyDocument }) {
  const { language, texts } = useVisit(PROPERTIES);
  const own = elementOf(language);
  const written = Object.entries(document.texts).toSorted(([a], [b]) => Number(b === own) - Number(a === own));
  const none = { icon: 'file', text: texts.noTexts, why: texts.noTextsWhy } as const;
  return (
    <Card title={texts.texts} empty={written.length === 0 && none}>
      <div class="stack close">
        {written.map(([element, { title, description, url }], index) => (
          <details open={index === 0}>
            <summary>{languageName(element, language)}</summary>
            <div lang={isoCode(element)}>
              {title && <h3>{title}</h3>}
              <p class="prose">{(description ?? '').replaceAll(/<[^>]*>/g, ' ')}</p>
            </div>
            {url && /^https?:/.test(url) && (
              <p>
                <a href={url} rel="noreferrer">
                  {texts.page}
                </a>
              </p>
            )}
          </details>
        ))}
      </div>
    </Card>
  );
}

function Findings({ report, id }: { readonly report: Report | null; readonly id: string }) {
  const { visitor, texts } = useVisit(PROPERTIES);
  const items = (report?.rules ?? []).map(({ code, severity, fix, explanation }): Todo => {
    const { node, value } = report?.findings.find(({ rule }) => rule === code) ?? {};
    const edit = <ButtonLink href={`/property/edit?${query({ id, node })}`}>{texts.edit}</ButtonLink>;
    return {
      icon: 'warning',
      tone: SEVERITY_TONES[severity],
      text: fix,
      why: [explanation, value].filter(Boolean).join(' '),
      action: may(visitor, 'editor') && edit,
    };
  });
  const none = { icon: 'check', tone: 'good', text: texts.nothingToFix, why: texts.nothingToFixWhy } as const;
  return (
    <Card title={texts.toFix} flush id="findings" empty={items.length === 0 && none}>
      <Todos items={items} />
    </Card>
  );
}

function OnPortals({ portals, row }: { readonly portals: readonly PortalView[]; readonly row: ListedRow }) {
  const { language, now, common, texts } = useVisit(PROPERTIES);
  const stateOf = (portal: PortalView): readonly [text: string, isGood: boolean] => {
    if (portal.state === 'paused') return [texts.pausedPortal, false];
    if (leftOutOf(portal, row) !== null) return [texts.notListed, false];
    const held = heldBy(portal, row);
    if (held !== null) return [texts.held[held.delivery]({ since: formatAgo(held.since, now, language) }), true];
    if (portal.lastVisit === null) return [texts.neverCame, false];
    return [texts.lacks({ last: formatAgo(portal.lastVisit, now, language) }), false];
  };
  return (
    <Card title={common.portals} empty={portals.length === 0 && { icon: 'portals', text: texts.noPortals }}>
      <div class="stack close">
        {portals.map((portal) => {
          const [text, isGood] = stateOf(portal);
          const logo = <Logo sign={{ ...portal, isOff: !isGood }} />;
          return (
            <div class="item">
              <Item sign={logo} href={portalPath(portal.name)} title={portal.title} note={text} />
              {isGood && <Icon name="check" />}
            </div>
          );
        })}
      </div>
    </Card>
  );
}

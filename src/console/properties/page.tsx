import type { Context } from 'hono';
import type { AppEnv } from '../../env.ts';
import type { StoredLanguage } from '../../lib/languages.ts';
import { orUnavailable } from '../../lib/unavailable.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import type { Report } from '../../rules/report.ts';
import { Ago, formatAgo, formatMoney, isoCode, languageName } from '../format.tsx';
import { Icon } from '../frame/icon.tsx';
import { Logo } from '../frame/logo.tsx';
import { ButtonLink, Card, Chip, Empty, Facts, Notice, Todos } from '../frame/parts.tsx';
import { may, notFoundPage } from '../guards.tsx';
import { loadChanges } from '../history/changes.tsx';
import { ChangeList } from '../history/list.tsx';
import { portalPath, propertyPath, query, unitPath } from '../paths.ts';
import { heldBy, isListedFor, loadPortals, type PortalView } from '../portals/portal.ts';
import { loadReport } from '../report/load.ts';
import { textOf } from '../texts/catalogue.ts';
import { SEVERITY_TONES, STATUS_TONES } from '../texts/tones.ts';
import type { Page, Visitor } from '../visit.ts';
import { loadProperty, type ShownProperty } from './load.ts';
import { pricesText } from './price.ts';
import { PROPERTIES } from './texts.ts';

const HISTORY_DAYS = 1_095;
const HISTORY_SHOWN = 30;
const GALLERY_PICTURES = 5;
const FEATURES_SHOWN = 12;

/** A property: pictures, facts, texts, what each portal has of it, what to fix, and its history. */
export async function showProperty(c: Context<AppEnv>, visitor: Visitor): Promise<Page> {
  const { account, language, now, texts: common } = visitor;
  const texts = PROPERTIES[language];
  const { DB } = c.env;
  const id = c.req.query('id') ?? '';
  const reading = Promise.all([
    loadProperty(DB, account.id, id, language),
    loadPortals(DB, account.id, now),
    loadChanges(DB, account.id, visitor, { identifier: id, days: HISTORY_DAYS, limit: HISTORY_SHOWN }),
  ]);
  const [[shown, portals, changes], report] = await Promise.all([
    orUnavailable('property', reading),
    loadReport(c, visitor, { property: id }),
  ]);
  if (shown === null) return notFoundPage(visitor);
  const { document, row, type } = shown;
  return {
    title: [type, document.area, document.town].filter(Boolean).join(', '),
    lead: (
      <>
        {document.id === document.ref ? document.ref : `${document.ref} · ${document.id}`} · {texts.changed}{' '}
        <Ago seconds={row.changedAt} guest={visitor} />
      </>
    ),
    crumbs: [[common.properties, '/properties']],
    actions: (
      <>
        <Chip tone={STATUS_TONES[row.status] ?? 'none'}>{textOf(common.statuses, row.status)}</Chip>
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
          {c.req.query('pictures') === undefined ? (
            <Gallery document={document} visitor={visitor} />
          ) : (
            <AllPictures document={document} visitor={visitor} />
          )}
          <Card title={texts.facts}>
            <PropertyFacts shown={shown} visitor={visitor} />
          </Card>
          <Findings report={report} id={id} visitor={visitor} />
          <Texts document={document} visitor={visitor} />
        </div>
        <aside class="stack">
          <OnPortals portals={portals} shown={shown} visitor={visitor} />
          <Card title={texts.history} flush>
            {changes.length === 0 ? (
              <Empty icon="clock" title={texts.noHistory}>
                {texts.noHistoryWhy}
              </Empty>
            ) : (
              <div class="body">
                <ChangeList changes={changes} guest={visitor} isOfOne />
              </div>
            )}
          </Card>
        </aside>
      </div>
    ),
  };
}

interface DocumentProps {
  readonly document: PropertyDocument;
  readonly visitor: Visitor;
}

function shownPictures({ pictures }: PropertyDocument): string[] {
  return pictures.filter((address) => /^https?:/.test(address));
}

function Gallery({ document, visitor }: DocumentProps) {
  const texts = PROPERTIES[visitor.language];
  const pictures = shownPictures(document);
  if (pictures.length === 0) return <Notice kind="warn">{texts.noPicture}</Notice>;
  const shown = pictures.slice(0, GALLERY_PICTURES);
  const more = pictures.length - shown.length;
  const kind = shown.length === 1 ? 'one' : shown.length < GALLERY_PICTURES ? 'few' : '';
  return (
    <div class={`gallery ${kind}`}>
      {shown.slice(0, kind === 'few' ? 3 : GALLERY_PICTURES).map((address, index, all) => (
        <a href={`${propertyPath(document.id, { pictures: '1' })}`}>
          <img src={address} alt={`${texts.picture} ${index + 1}, ${document.ref}`} referrerpolicy="no-referrer" />
          {more > 0 && index === all.length - 1 && <span>{texts.morePictures({ count: more })}</span>}
        </a>
      ))}
    </div>
  );
}

function AllPictures({ document, visitor }: DocumentProps) {
  const texts = PROPERTIES[visitor.language];
  const pictures = shownPictures(document);
  return (
    <Card title={texts.allPictures({ count: pictures.length })}>
      <div class="pictures">
        {pictures.map((address, index) => (
          <img
            src={address}
            alt={`${texts.picture} ${index + 1}, ${document.ref}`}
            loading="lazy"
            referrerpolicy="no-referrer"
          />
        ))}
      </div>
    </Card>
  );
}

function PropertyFacts({
  shown: { document, row, features },
  visitor,
}: {
  readonly shown: ShownProperty;
  readonly visitor: Visitor;
}) {
  const { language } = visitor;
  const texts = PROPERTIES[language];
  const money = (value: number) => formatMoney(value, document.currency, language);
  const { offers, location, unit } = document;
  const prices = pricesText(
    {
      currency: document.currency,
      ...(offers.sale === null ? {} : { sale: row.salePrice }),
      ...(offers.long_term === null ? {} : { month: offers.long_term.rent }),
      ...(offers.short_term === null ? {} : { weeks: [offers.short_term.low, offers.short_term.high] }),
    },
    visitor,
  );
  const baths = Math.floor(document.bath);
  const toilets = Math.round((document.bath - baths) * 10) / 5;
  const minimum = offers.sale?.minimum_price ?? 0;
  const letter = (text: string) => (text === 'X' ? texts.unknown : text);
  const hasEnergy = document.consumption !== 'X' || document.emissions !== 'X';
  const websites = [document.on_own_website && texts.ownWebsite, document.on_other_websites && texts.otherWebsites];
  const joined = (...parts: (string | false | null)[]) => parts.filter(Boolean).join(', ');
  const area = (value: number | null, text: (values: { area: number }) => string) =>
    value !== null && text({ area: value });
  const cost = (value: number | null, text: (values: { amount: string }) => string) =>
    value !== null && value > 0 && text({ amount: money(value) });
  return (
    <Facts
      facts={
        [
          [texts.price, <b>{prices.join(', ') || texts.noOffer}</b>],
          [texts.minimum, minimum > 0 ? money(minimum) : ''],
          [
            texts.rooms,
            joined(
              document.beds > 0 && texts.beds({ count: document.beds }),
              baths > 0 && texts.baths({ count: baths }),
              toilets > 0 && texts.toilets({ count: Math.round(toilets) }),
            ),
          ],
          [
            texts.areas,
            joined(
              area(document.built_area, texts.built),
              area(document.living_area, texts.living),
              area(document.terrace_area, texts.terrace),
              area(document.plot_area, texts.plot),
            ),
          ],
          [
            texts.place,
            joined(
              document.address,
              document.area,
              document.town,
              document.postcode,
              document.province,
              document.country,
            ),
          ],
          [
            texts.coordinates,
            location && (
              <a href={`geo:${location.latitude},${location.longitude}`} title={texts.openMap}>
                {`${location.latitude.toFixed(5)}, ${location.longitude.toFixed(5)}`}
              </a>
            ),
          ],
          [
            texts.energy,
            hasEnergy
              ? texts.energyText({ consumption: letter(document.consumption), emissions: letter(document.emissions) })
              : textOf(texts.energyStatus, document.energy_status ?? '', texts.unknown),
          ],
          [texts.year, document.built_year === null ? '' : String(document.built_year)],
          [
            texts.fees,
            joined(
              cost(document.community_fees, texts.community),
              cost(document.ibi_fees, texts.ibi),
              cost(document.garbage_tax, texts.garbage),
            ),
          ],
          [texts.cadastral, document.cadastral_ref],
          [texts.license, offers.short_term?.license ?? ''],
          [texts.features, features.length > 0 && <Features features={features} visitor={visitor} />],
          [
            texts.unit,
            unit && <a href={unitPath(unit.development, unit.name)}>{`${unit.development} ${unit.name}`}</a>,
          ],
          [texts.marked, joined(...websites) || texts.nowhere],
          [texts.commission, document.commission],
          [texts.notes, document.notes],
        ].filter(([, value]) => value !== false) as [string, string][]
      }
    />
  );
}

function Features({ features, visitor }: { readonly features: readonly string[]; readonly visitor: Visitor }) {
  const more = features.slice(FEATURES_SHOWN);
  return (
    <>
      {features.slice(0, FEATURES_SHOWN).join(', ')}
      {more.length > 0 && (
        <details>
          <summary>{PROPERTIES[visitor.language].more({ count: more.length })}</summary>
          {more.join(', ')}
        </details>
      )}
    </>
  );
}

function Texts({ document, visitor }: DocumentProps) {
  const texts = PROPERTIES[visitor.language];
  const own = visitor.language === 'es' ? 'es' : 'uk';
  const entries = Object.entries(document.texts) as [
    StoredLanguage,
    NonNullable<PropertyDocument['texts'][StoredLanguage]>,
  ][];
  const written = entries.toSorted(([a], [b]) => Number(b === own) - Number(a === own));
  return (
    <Card title={texts.texts} flush={written.length === 0}>
      {written.length === 0 ? (
        <Empty icon="file" title={texts.noTexts}>
          {texts.noTextsWhy}
        </Empty>
      ) : (
        <div class="stack close">
          {written.map(([element, { title, description, url }], index) => (
            <details open={index === 0}>
              <summary>{languageName(element, visitor.language)}</summary>
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
      )}
    </Card>
  );
}

function Findings({
  report,
  id,
  visitor,
}: {
  readonly report: Report | null;
  readonly id: string;
  readonly visitor: Visitor;
}) {
  const texts = PROPERTIES[visitor.language];
  const rules = report?.rules ?? [];
  return (
    <Card title={texts.toFix} flush id="findings">
      <Todos
        items={
          rules.length === 0
            ? [{ icon: 'check', tone: 'good', text: texts.nothingToFix, why: texts.nothingToFixWhy }]
            : rules.map(({ code, severity, fix, explanation }) => {
                const finding = report?.findings.find(({ rule }) => rule === code);
                return {
                  icon: 'warning',
                  tone: SEVERITY_TONES[severity],
                  text: fix,
                  why: [explanation, finding?.value].filter(Boolean).join(' '),
                  action: may(visitor, 'editor') && (
                    <ButtonLink href={`/property/edit?${query({ id, node: finding?.node })}`}>{texts.edit}</ButtonLink>
                  ),
                };
              })
        }
      />
    </Card>
  );
}

interface OnPortalsProps {
  readonly portals: readonly PortalView[];
  readonly shown: ShownProperty;
  readonly visitor: Visitor;
}

function OnPortals({ portals, shown: { row }, visitor }: OnPortalsProps) {
  const { language, now, texts: common } = visitor;
  const texts = PROPERTIES[language];
  const stateOf = (portal: PortalView): readonly [text: string, isGood: boolean] => {
    if (portal.state === 'paused') return [texts.pausedPortal, false];
    if (!isListedFor(portal, row)) return [texts.notListed, false];
    const held = heldBy(portal, row);
    if (held !== null) return [texts.held[held.delivery]({ since: formatAgo(held.since, now, language) }), true];
    if (portal.lastVisit === null) return [texts.neverCame, false];
    return [texts.lacks({ last: formatAgo(portal.lastVisit, now, language) }), false];
  };
  return (
    <Card title={common.portals} flush={portals.length === 0}>
      {portals.length === 0 ? (
        <Empty icon="portals" title={texts.noPortals} />
      ) : (
        <div class="stack close">
          {portals.map((portal) => {
            const [text, isGood] = stateOf(portal);
            return (
              <div class="item">
                <Logo sign={portal} isOff={!isGood} />
                <span>
                  <a href={portalPath(portal.name)}>
                    <b>{portal.title}</b>
                  </a>
                  <span class="muted">{text}</span>
                </span>
                {isGood && <Icon name="check" />}
              </div>
            );
          })}
        </div>
      )}
    </Card>
  );
}

import type { PortfolioDocument, PropertyDocument, UnitDocument } from '../../src/portfolio/documents.ts';
import type { XmlElement } from './xml.ts';

/** A node of a record: its name, and its text or its children; an image's `id` stands in its name. */
export type RecordNode = readonly [name: string, content: string | readonly RecordNode[]];

/** The parameters that rule a feed, as a reader of the specification spells them; what is absent has its default. */
export type OracleQuery = Readonly<Partial<Record<string, string>>>;

const ELEMENTS = ['uk', 'es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl', 'no'] as const;

const COMPASS: Record<string, string> = {
  N: 'North',
  S: 'South',
  E: 'East',
  W: 'West',
  NE: 'North East',
  NW: 'North West',
  SE: 'South East',
  SW: 'South West',
};

const UNIT_STATUS = { 1: 'Available', 2: 'Under Offer', 4: 'Sold', 8: 'Sale Agreed' } as const;

/**
 * The records of a feed as the format of the feed says they must be, worked out from the portfolio's documents and the
 * query alone: nothing here comes from the code under test.
 */
export function expectedRecords(portfolio: readonly PortfolioDocument[], query: OracleQuery): RecordNode[][] {
  const v3 = query.FV === '3';
  const is = (name: string) => query[name] === 'TRUE';
  const category = query.T ?? 'All';
  const codes = [...new Set((query.Language ?? '1,2').split(',').map(Number))].sort((a, b) => a - b);
  const languages = codes.map((code) => ELEMENTS[code - 1]!);
  const most = Number(query.IC ?? 10) || Number.POSITIVE_INFINITY;
  const newTypes = v3 || is('NPT');
  const emissions = v3 || is('ER_Show') || is('ER_ShowAll');
  const consumption = v3 || is('ER_ShowAll');
  const tours = { TRUE: 1, FALSE: 0 }[query.VT ?? ''] ?? Number(query.VT ?? (v3 ? 2 : 0));

  const units = new Map<string, UnitDocument>();
  const developments = new Map<string, string>();
  const labels = new Map<string, Extract<PortfolioDocument, { kind: 'feature' | 'category' }>>();
  const types = new Map<string, Extract<PortfolioDocument, { kind: 'type' }>>();
  const properties: PropertyDocument[] = [];
  for (const document of portfolio) {
    if (document.kind === 'unit') units.set(`${document.development}/${document.name}`, document);
    if (document.kind === 'development') developments.set(document.id, document.name);
    if (document.kind === 'feature' || document.kind === 'category')
      labels.set(`${document.kind} ${document.code}`, document);
    if (document.kind === 'type') types.set(document.code, document);
    if (document.kind === 'property') properties.push(document);
  }
  const categories = portfolio
    .filter((document) => document.kind === 'category')
    .sort((a, b) => Number(b.code === 'Orientation') - Number(a.code === 'Orientation'));

  const words = new Map(
    [...labels.values()].flatMap((document) =>
      document.kind === 'feature' && document.category === 'Orientation' ? [[document.labels.uk, document.labels]] : [],
    ),
  );

  const unitOf = ({ unit }: PropertyDocument) => (unit ? units.get(`${unit.development}/${unit.name}`)! : undefined);
  const statusOf = (property: PropertyDocument) => {
    const unit = unitOf(property);
    return property.status === 'Withdrawn' || unit === undefined ? property.status : UNIT_STATUS[unit.status];
  };
  const inLanguages = (texts: Partial<Record<string, string | null | undefined>>): RecordNode[] =>
    languages.flatMap((language) => {
      const text = clean(texts[language] ?? '');
      return text === '' ? [] : [[language, text] as const];
    });
  const offersOf = ({ offers }: PropertyDocument) => ({
    sale: category === 'RENT' ? null : offers.sale,
    long: category === 'SALE' ? null : offers.long_term,
    short: category === 'SALE' ? null : offers.short_term,
  });

  const listed = properties
    .map((property, number) => ({ property, number }))
    .filter(({ property }) => {
      const status = statusOf(property);
      const { sale, long, short } = offersOf(property);
      if (status === 'Sold' || status === 'Withdrawn') return false;
      if (is('OnlyAvailable') && status !== 'Available') return false;
      if (is('ExRented') && property.rented) return false;
      if (is('NW') && !(property.on_own_website && property.on_other_websites)) return false;
      return sale !== null || long !== null || short !== null;
    });
  if (is('DisplayListingDate')) {
    listed.sort((a, b) => Date.parse(b.property.listed_at) - Date.parse(a.property.listed_at) || b.number - a.number);
  }

  const recordsOf = (property: PropertyDocument): RecordNode[][] => {
    const { sale, long, short } = offersOf(property);
    if (!is('AR') || category === 'SALE') return [recordOf(property, property.id, sale, long, short)];
    return [
      ...(sale ? [recordOf(property, property.id, sale, null, null)] : []),
      ...(long ? [recordOf(property, `${property.id}-LT`, null, long, null)] : []),
      ...(short ? [recordOf(property, `${property.id}-ST`, null, null, short)] : []),
    ];
  };

  const recordOf = (
    property: PropertyDocument,
    id: string,
    sale: PropertyDocument['offers']['sale'],
    long: PropertyDocument['offers']['long_term'],
    short: PropertyDocument['offers']['short_term'],
  ): RecordNode[] => {
    const unit = unitOf(property);
    const nodes: RecordNode[] = [];
    const put = (name: string, value: string | number | null | undefined, when = true) => {
      const text =
        value === null || value === undefined ? '' : typeof value === 'number' ? decimal(value) : clean(value);
      if (when && text !== '') nodes.push([name, text]);
    };
    const parent = (name: string, children: readonly RecordNode[], when = true) => {
      if (when && children.length > 0) nodes.push([name, children]);
    };
    const updated = {
      SALE: property.sale_updated_at ?? '',
      RENT: property.rental_updated_at ?? '',
      All: [property.sale_updated_at ?? '', property.rental_updated_at ?? ''].sort()[1]!,
    }[category as 'SALE' | 'RENT' | 'All'];
    put('id', id);
    put('ref', property.ref);
    put('last_updated', time(updated));
    put('listing_date', time(property.listed_at), is('DisplayListingDate'));
    put('status', statusOf(property), v3);
    put('availability', statusOf(property), v3);
    put('currency', property.currency);
    const salePrice = sale && (unit ? unit.price : sale.price);
    put('price', salePrice ?? long?.rent);
    put(
      'price_freq',
      salePrice !== null ? 'sale' : long && (long.rent !== null || !sale) ? 'month' : sale ? 'sale' : 'week',
    );
    put('price_minimum', sale?.minimum_price ?? 0, v3);
    put('longterm', long?.rent);
    put('shortterm_low', short?.low, is('ARP'));
    put('shortterm_high', short?.high, is('ARP'));
    put('rental_license', short?.license, is('ShowRTA'));
    const typeLabels = Object.entries(types.get(property.type)!.labels);
    const typeText = (key: 'older_type' | 'type' | 'subtype') =>
      inLanguages(Object.fromEntries(typeLabels.map(([language, label]) => [language, label![key]])));
    parent('type', typeText(newTypes ? 'type' : 'older_type'));
    parent('subtype', typeText('subtype'), newTypes);
    put('development_name', property.unit && developments.get(property.unit.development));
    put('unit_name', property.unit?.name);
    put('town', property.town);
    put('area', property.area);
    put('province', property.province);
    put('country', property.country);
    put('postcode', property.postcode);
    const { location } = property;
    parent(
      'location',
      location === null
        ? []
        : [
            ['latitude', decimal(location.latitude)],
            ['longitude', decimal(location.longitude)],
          ],
      v3,
    );
    const baths = Math.trunc(property.bath);
    put('beds', property.beds);
    put('baths', baths);
    put('Bath', query.FV === '2' || v3 ? property.bath : baths);
    const area = (name: string, metres: number | null): RecordNode[] =>
      metres === null ? [] : [[name, decimal(metres)]];
    parent('surface_area', [
      ...area('built', property.built_area),
      ...area('plot', property.plot_area),
      ...(v3 || is('ST') ? area('terrace', property.terrace_area) : []),
    ]);
    put('terrace', property.terrace_area, v3);
    put('living_area', property.living_area, v3);
    put('built_year', property.built_year, v3);
    put('community_fees', property.community_fees, v3);
    put('garbage_tax', property.garbage_tax, v3);
    put('ibi_fees', property.ibi_fees, v3);
    put('cadastral_ref', property.cadastral_ref, v3);
    put('has_pool', Number(property.has_pool));
    put('has_garden', Number(property.has_garden));
    put('has_garage', Number(property.has_garage));
    parent('energy_rating', [
      ...(emissions ? [['emissions', property.emissions] as const] : []),
      ...(consumption ? [['consumption', property.consumption] as const] : []),
    ]);
    put('virtual_tour_url', property.virtual_tour_url, tours >= 1);
    put('video_url', property.video_url, tours >= 2);
    parent(
      'description',
      inLanguages(
        Object.fromEntries(Object.entries(property.texts).map(([language, text]) => [language, text?.description])),
      ),
    );
    const values = (code: string): RecordNode[][] => {
      if (code === 'Orientation' && unit !== undefined) {
        return unit.directions.flat().flatMap((direction) => {
          const word = words.get(COMPASS[direction] ?? '');
          const children = inLanguages(word ?? Object.fromEntries(ELEMENTS.map((language) => [language, direction])));
          return children.length > 0 ? [children] : [];
        });
      }
      return property.features.flatMap((feature) => {
        const document = labels.get(`feature ${feature}`)!;
        const children = document.kind === 'feature' && document.category === code ? inLanguages(document.labels) : [];
        return children.length > 0 ? [children] : [];
      });
    };
    parent(
      'characteristics',
      categories.flatMap(({ code, labels: name }): RecordNode[] => {
        const children = values(code).map((value): RecordNode => ['value', value]);
        return children.length === 0 ? [] : [['category', [['name', inLanguages(name)], ...children]]];
      }),
    );
    parent(
      'images',
      property.pictures.slice(0, most).map((url, index): RecordNode => [`image ${index + 1}`, [['url', clean(url)]]]),
    );
    return nodes;
  };

  return listed.flatMap(({ property }) => recordsOf(property));
}

/** The records of a document that was read, in the same form. */
export function recordsRead(document: XmlElement): RecordNode[][] {
  return document.all('property').map((property) => property.children.map(nodeOf));
}

function nodeOf(element: XmlElement): RecordNode {
  const name = element.attributes.id === undefined ? element.name : `${element.name} ${element.attributes.id}`;
  return [name, element.children.length > 0 ? element.children.map(nodeOf) : element.text];
}

/** Text less what XML 1.0 cannot hold. */
function clean(text: string): string {
  return [...text].filter((character) => isXmlCharacter(character.codePointAt(0)!)).join('');
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

/** Numbers of the demo are small enough to be printed without an exponent. */
function decimal(value: number): string {
  return value.toString();
}

function time(text: string): string {
  return text.replace('T', ' ').replace('Z', '');
}

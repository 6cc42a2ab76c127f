import { type Listing, type TypeKind, typeKind } from '../listing.ts';
import { type Detail, type ListingRule, NONE, numberIn, when } from '../rule.ts';

/** The range of nearly all homes on the market, in euros per square metre. */
const PER_SQUARE_METRE = [150, 40_000] as const;

/** Maximum monthly rent as a share of the sale price. */
const RENT_OF_PRICE = 0.03;

/** Maximum yearly costs as a share of the price. */
const YEARLY_COSTS = 0.1;

/** Prices that Trovit accepts, in euros, for sale and per month. */
const SALE: Readonly<Record<TypeKind, readonly [least: number, most: number]>> = {
  apartment: [10_000, 100_000_000],
  house: [10_000, 100_000_000],
  plot: [5_000, 50_000_000],
  parking: [1_000, 200_000],
  business: [1_000, 50_000_000],
  unknown: [1_000, 100_000_000],
};
const RENT: Readonly<Record<TypeKind, readonly [least: number, most: number]>> = {
  apartment: [100, 50_000],
  house: [100, 50_000],
  plot: [10, 500_000],
  parking: [5, 10_000],
  business: [50, 500_000],
  unknown: [5, 500_000],
};

interface Price {
  readonly node: string;
  readonly amount: number;
}

function pricesOf({ offers: { sale, longTerm, shortTerm } }: Listing): Price[] {
  const all = [
    { node: 'price', amount: sale?.price },
    { node: 'longterm', amount: longTerm?.rent },
    { node: 'shortterm_low', amount: shortTerm?.low },
    { node: 'shortterm_high', amount: shortTerm?.high },
  ];
  return all.flatMap(({ node, amount }) => (amount == null ? [] : [{ node, amount }]));
}

/** A price above 0, or nothing. */
function positive(price: number | null | undefined): number | undefined {
  return price != null && price > 0 ? price : undefined;
}

function outside(amount: number | null | undefined, [least, most]: readonly [number, number]): boolean {
  return amount != null && amount !== 0 && (amount < least || amount > most);
}

export const PRICE_RULES: readonly ListingRule[] = [
  {
    code: 'no_price',
    severity: 'warning',
    en: 'The price is 0 or unknown, so feeds show 0: most readers display "price on request", and some portals reject the property.',
    es: 'El precio es 0 o desconocido, así que los feeds indican 0: la mayoría de los lectores muestran «precio a consultar» y algunos portales rechazan el inmueble.',
    fix: { en: 'Add a price, unless it is on request.', es: 'Indique un precio, salvo que sea a consultar.' },
    check: ({ offers: { sale, longTerm, shortTerm } }) => [
      ...when(sale !== undefined && !sale.price, 'price', sale?.price ?? ''),
      ...when(longTerm !== undefined && !longTerm.rent, 'longterm', longTerm?.rent ?? ''),
      ...when(shortTerm !== undefined && !shortTerm.low && !shortTerm.high, 'shortterm_low', shortTerm?.low ?? ''),
    ],
  },
  {
    code: 'price_negative',
    severity: 'error',
    en: 'A price is below 0.',
    es: 'Un precio es inferior a 0.',
    fix: { en: 'Correct the price.', es: 'Corrija el precio.' },
    check: (listing) => pricesOf(listing).flatMap(({ node, amount }) => when(amount < 0, node, amount)),
  },
  {
    code: 'sale_price_implausible',
    severity: 'error',
    en: 'The sale price is outside the range that Trovit accepts for this type: it may be a rent, or have a digit too many.',
    es: 'El precio de venta está fuera del intervalo que Trovit acepta para este tipo: puede ser un alquiler o sobrarle una cifra.',
    fix: { en: 'Check the price and the type.', es: 'Compruebe el precio y el tipo.' },
    portals: ['trovit'],
    check: (listing) => {
      const price = listing.offers.sale?.price;
      return when(outside(price, SALE[typeKind(listing)]), 'price', price);
    },
  },
  {
    code: 'rent_implausible',
    severity: 'error',
    en: 'The monthly rent is outside the range that Trovit accepts for this type.',
    es: 'El alquiler mensual está fuera del intervalo que Trovit acepta para este tipo.',
    fix: { en: 'Check the rent: it is per month.', es: 'Compruebe el alquiler: es por mes.' },
    portals: ['trovit'],
    check: (listing) => {
      const rent = listing.offers.longTerm?.rent;
      return when(outside(rent, RENT[typeKind(listing)]), 'longterm', rent);
    },
  },
  {
    code: 'rent_exceeds_price',
    severity: 'warning',
    en: `A month's rent is more than ${RENT_OF_PRICE * 100}% of the sale price: one of the two is probably wrong.`,
    es: `El alquiler de un mes supera el ${RENT_OF_PRICE * 100} % del precio de venta: probablemente uno de los dos es erróneo.`,
    fix: { en: 'Check both.', es: 'Compruebe ambos.' },
    check: ({ offers: { sale, longTerm } }) =>
      when(
        (longTerm?.rent ?? 0) > (positive(sale?.price) ?? Number.POSITIVE_INFINITY) * RENT_OF_PRICE,
        'longterm',
        longTerm?.rent,
      ),
  },
  {
    code: 'price_per_square_metre_implausible',
    severity: 'warning',
    en: `The price is below ${numberIn('en', PER_SQUARE_METRE[0])} or above ${numberIn('en', PER_SQUARE_METRE[1])} per square metre: the price or the area is probably wrong.`,
    es: `El precio por metro cuadrado es inferior a ${numberIn('es', PER_SQUARE_METRE[0])} o superior a ${numberIn('es', PER_SQUARE_METRE[1])}: probablemente el precio o la superficie es errónea.`,
    fix: { en: 'Check the price and the built area.', es: 'Compruebe el precio y la superficie construida.' },
    check: (listing) => {
      const kind = typeKind(listing);
      const { built_area, offers } = listing;
      if ((kind !== 'apartment' && kind !== 'house') || !built_area || !offers.sale?.price) return NONE;
      const each = offers.sale.price / built_area;
      return when(outside(each, PER_SQUARE_METRE), 'price', `${Math.round(each)} / m²`);
    },
  },
  {
    code: 'minimum_price_exceeds_price',
    severity: 'warning',
    en: 'The minimum price is above the price.',
    es: 'El precio mínimo es superior al precio.',
    fix: { en: 'Correct one of them.', es: 'Corrija uno de los dos.' },
    check: ({ offers: { sale } }) =>
      when(sale?.price != null && sale.minimum > sale.price, 'price_minimum', sale?.minimum),
  },
  {
    code: 'low_season_exceeds_high_season',
    severity: 'warning',
    en: 'The low-season price is higher than the high-season price.',
    es: 'El precio de temporada baja es superior al de temporada alta.',
    fix: { en: 'Swap or correct them.', es: 'Intercámbielos o corríjalos.' },
    check: ({ offers: { shortTerm } }) =>
      when((shortTerm?.low ?? 0) > (shortTerm?.high ?? Number.POSITIVE_INFINITY), 'shortterm_low', shortTerm?.low),
  },
  {
    code: 'price_not_whole',
    severity: 'info',
    en: 'A price has decimals. Property Showrooms requires whole numbers.',
    es: 'Un precio tiene decimales. Property Showrooms exige números enteros.',
    fix: { en: 'Round the price.', es: 'Redondee el precio.' },
    portals: ['property-showrooms'],
    check: (listing) => pricesOf(listing).flatMap(({ node, amount }) => when(!Number.isInteger(amount), node, amount)),
  },
  {
    code: 'currency_unknown_to_kyero',
    severity: 'warning',
    en: 'Kyero accepts EUR, GBP and USD only, so its feed shows the price as on request.',
    es: 'Kyero solo acepta EUR, GBP y USD, así que su feed muestra el precio como «a consultar».',
    fix: { en: 'Enter the price in euros.', es: 'Indique el precio en euros.' },
    portals: ['kyero'],
    check: ({ currency }) => when(!['EUR', 'GBP', 'USD'].includes(currency), 'currency', currency),
  },
  {
    code: 'yearly_costs_implausible',
    severity: 'warning',
    en: `Yearly costs are more than ${YEARLY_COSTS * 100}% of the price, or below 0.`,
    es: `Los gastos anuales superan el ${YEARLY_COSTS * 100} % del precio, o son inferiores a 0.`,
    fix: {
      en: 'Check the community fees (per month), property tax and garbage tax (per year).',
      es: 'Compruebe los gastos de comunidad (por mes), el IBI y la tasa de basuras (por año).',
    },
    check: ({ offers: { sale }, community_fees, garbage_tax, ibi_fees }) => {
      const most = (positive(sale?.price) ?? Number.POSITIVE_INFINITY) * YEARLY_COSTS;
      const found = (node: string, yearly: number | null): readonly Detail[] =>
        when(yearly !== null && (yearly < 0 || yearly > most), node, yearly);
      return [
        ...found('community_fees', community_fees === null ? null : community_fees * 12),
        ...found('ibi_fees', ibi_fees),
        ...found('garbage_tax', garbage_tax),
      ];
    },
  },
];

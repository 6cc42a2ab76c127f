import { isPlaceholder, spelling, UNREADABLE, type Understood } from './interpretation.ts';
import { AMOUNT, readNumber, SALE_PRICE } from './number.ts';

/** The period of a price: sale, month or week. */
export type Frequency = 'sale' | 'month' | 'week';

/** A price; `null` means on request, which Kyero writes as x. */
export function readPrice(text: string, frequency: Frequency): Understood<number | null> {
  if (/^x$/i.test(text)) return { value: null };
  const read = readNumber(text, frequency === 'sale' ? SALE_PRICE : AMOUNT);
  if (read.value !== undefined && read.value > 0) return read;
  if (read.value === 0 || ON_REQUEST.test(spelling(text)) || isPlaceholder(text)) {
    return { value: null, how: 'on_request' };
  }
  return UNREADABLE;
}

const ON_REQUEST =
  /^(p ?o ?a|p ?o ?r|tba|tbc|ask|call|(price )?(on|upon) (request|application|demand|inquiry|enquiry)|(precio )?a? ?consult(ar|e).*|preis auf anfrage|auf anfrage|(prix )?(sur|a la) demande|(prijs )?op aanvraag|sob consulta)$/;

/** The code of a currency from its code or sign. */
export function readCurrency(text: string): Understood<string> {
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return { value: code };
  const named = CURRENCY_NAMES.get(spelling(text));
  return named === undefined ? UNREADABLE : { value: named, how: 'spelling' };
}

/** The currency from a sign or code next to a price. */
export function currencyBeside(price: string): string | undefined {
  const sign = /€|£|us\$|\$|\b(eur|euro|gbp|usd|chf|sek|nok|dkk|pln)s?\b/i.exec(price)?.[0];
  return sign === undefined ? undefined : readCurrency(sign).value;
}

const CURRENCY_NAMES = new Map([
  ...['€', 'euro', 'euros'].map((name) => [name, 'EUR'] as const),
  ...['£', 'pound', 'pounds', 'sterling', 'libra', 'libras'].map((name) => [name, 'GBP'] as const),
  ...['$', 'us$', 'dollar', 'dollars', 'dolar', 'dolares'].map((name) => [name, 'USD'] as const),
]);

/** The period of a price. */
export function readFrequency(text: string): Understood<Frequency> & { readonly perDay?: true } {
  const word = spelling(text);
  const known = FREQUENCIES.get(word);
  if (known !== undefined) return PLAIN.has(text.toLowerCase()) ? { value: known } : { value: known, how: 'spelling' };
  if (PER_DAY.has(word)) return { value: 'week', how: 'per_day', perDay: true };
  if (PER_YEAR.has(word)) return { value: 'month', how: 'per_day', perDay: true };
  return UNREADABLE;
}

/** Spellings that are too common to be reported. */
const PLAIN: ReadonlySet<string> = new Set(['sale', 'month', 'week', 'rent', 'rentlong', 'rentshort']);

/** `rent` without a period is a long-term rental. */
const WORDS: Readonly<Record<Frequency, readonly string[]>> = {
  sale: [
    'sale|sales|for sale|forsale|to buy|buy|purchase|resale|resales|once|one off|total|freehold',
    'new build|newbuild|new|new development|off plan|obra nueva|segunda mano',
    'venta|en venta|se vende|vender|compra|comprar|venda|vendita|vente|a vendre|achat|verkauf|zu verkaufen|kauf',
    'verkoop|te koop|koop|till salu|salg|til salg|til salgs|sprzedaz|na sprzedaz|prodazha|продажа',
  ],
  month: [
    'month|months|monthly|per month|a month|pm|p m|pcm|per calendar month|/month|by month|month to month',
    'rent|rental|rentals|for rent|to rent|to let|let|letting|lettings|lease|rentlong|rent long|long rent|rentlongterm',
    'long term|longterm|long term rental|long term rent|long term let|long let|long rental|winter let',
    'mes|al mes|por mes|mensual|mensualmente|alquiler|en alquiler|se alquila|alquilar|arriendo|arrendamiento|arrendar',
    'alquiler larga temporada|larga temporada|larga estancia|larga duracion|alquiler larga duracion|alquiler mensual',
    'mensuel|mensuelle|par mois|mois|a louer|location|monat|monatlich|pro monat|im monat|miete|zu vermieten|vermietung',
    'maand|per maand|maandelijks|huur|te huur|verhuur|manad|per manad|att hyra|maned|per maned|til leje|til leie',
    'miesiac|miesiecznie|wynajem|arrendar|aluguel|alugar|affitto|al mese|lloguer|аренда',
  ],
  week: [
    'week|weeks|weekly|per week|a week|pw|p w|by week|rentshort|rent short|short rent|rentshortterm',
    'short term|shortterm|short term rental|short term rent|short term let|short let|short rental',
    'holiday|holidays|holiday rental|holiday rentals|holiday let|holiday lets|vacation|vacation rental|seasonal',
    'semana|por semana|a la semana|semanal|vacacional|alquiler vacacional|alquiler turistico|turistico|temporada',
    'alquiler corta temporada|corta temporada|corta estancia|corta duracion|alquiler temporada|alquiler semanal|vacaciones',
    'semaine|par semaine|hebdomadaire|location saisonniere|location de vacances|woche|wochentlich|pro woche',
    'ferienvermietung|ferienmiete|per vecka|vecka|vakantie|vakantieverhuur|uge|per uge|uke|per uke|tydzien|settimana',
  ],
};

const FREQUENCIES: ReadonlyMap<string, Frequency> = new Map(
  Object.entries(WORDS).flatMap(([frequency, lines]) =>
    lines.flatMap((line) => line.split('|').map((word) => [word, frequency as Frequency] as const)),
  ),
);

const PER_DAY = new Set(
  'day|per day|daily|night|per night|nightly|dia|por dia|noche|por noche|diario|tag|pro tag'.split('|'),
);
const PER_YEAR = new Set(
  'year|per year|yearly|annual|annually|pa|p a|ano|al ano|anual|jahr|pro jahr|par an'.split('|'),
);

import { nameKey } from '../vocabulary/name-key.ts';
import type { Listing } from './listing.ts';

/** A province of Spain: its postcode prefix, its names, and the box of latitudes and longitudes that contains it. */
export interface Province {
  readonly prefix: string;
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/**
 * A row per province: the first two digits of its postcodes (its number at the Instituto Nacional de Estadística), then
 * south, west, north and east in tenths of a degree, rounded outward, then its names in Spanish, the regional language
 * and English.
 */
const ROWS = `
01|423|-34|433|-21|Álava|Araba
02|379|-31|396|-7|Albacete
03|377|-12|390|4|Alicante|Alacant
04|365|-33|380|-15|Almería
05|399|-59|413|-40|Ávila
06|378|-75|396|-45|Badajoz
07|385|10|403|45|Islas Baleares|Illes Balears|Baleares|Balears|Balearic Islands|Mallorca|Ibiza|Menorca
08|410|12|425|29|Barcelona
09|413|-45|434|-24|Burgos
10|389|-77|406|-48|Cáceres
11|359|-66|372|-49|Cádiz
12|396|-10|409|8|Castellón|Castelló
13|382|-52|397|-25|Ciudad Real
14|370|-57|389|-38|Córdoba
15|423|-95|440|-75|A Coruña|La Coruña|Coruña
16|391|-33|408|-10|Cuenca
17|415|16|426|35|Girona|Gerona
18|365|-45|382|-20|Granada
19|400|-37|415|-14|Guadalajara
20|427|-28|435|-16|Gipuzkoa|Guipúzcoa
21|366|-77|384|-60|Huelva
22|412|-11|430|10|Huesca
23|372|-45|387|-23|Jaén
24|419|-72|434|-46|León
25|411|2|430|20|Lleida|Lérida
26|418|-33|428|-15|La Rioja|Rioja
27|422|-82|439|-67|Lugo
28|397|-48|413|-29|Madrid
29|362|-58|375|-36|Málaga
30|372|-25|389|-5|Murcia
31|418|-27|434|-6|Navarra|Navarre|Nafarroa
32|417|-86|427|-66|Ourense|Orense
33|427|-74|438|-43|Asturias
34|416|-52|432|-37|Palencia
35|275|-161|296|-131|Las Palmas|Gran Canaria|Lanzarote|Fuerteventura
36|417|-91|430|-77|Pontevedra
37|401|-71|415|-49|Salamanca
38|274|-184|290|-159|Santa Cruz de Tenerife|Tenerife|La Gomera|La Palma|El Hierro
39|426|-50|437|-30|Cantabria
40|405|-49|418|-30|Segovia
41|367|-67|384|-45|Sevilla|Seville
42|409|-37|424|-16|Soria
43|404|0|417|18|Tarragona
44|397|-20|415|5|Teruel
45|391|-56|405|-28|Toledo
46|385|-17|404|2|Valencia|València
47|409|-57|425|-38|Valladolid
48|428|-36|436|-23|Bizkaia|Vizcaya|Biscay
49|410|-71|424|-51|Zamora
50|408|-23|429|5|Zaragoza|Saragossa
51|358|-55|360|-52|Ceuta
52|352|-31|354|-28|Melilla
`;

const PROVINCES: ReadonlyMap<string, Province> = new Map(
  ROWS.trim()
    .split('\n')
    .flatMap((row) => {
      const [prefix = '', ...cells] = row.split('|');
      const [south = 0, west = 0, north = 0, east = 0] = cells.slice(0, 4).map((tenths) => Number(tenths) / 10);
      return cells.slice(4).map((name) => [nameKey(name), { prefix, south, west, north, east }] as const);
    }),
);

/** The province of Spain with a name, as feeds write it: `Málaga`, `malaga`, `Alicante/Alacant`, `Málaga (Province)`. */
export function findProvince(name: string): Province | undefined {
  const [first = ''] = name.split(/[/(,]/);
  return PROVINCES.get(nameKey(first));
}

/** Whether a property is in Spain, where that is known: feeds of this market often omit the country. */
export function isInSpain({ country, province }: Pick<Listing, 'country' | 'province'>): boolean {
  if (country === null || country.trim() === '') return findProvince(province) !== undefined;
  return /^(spain|españa|espana|es|esp)$/i.test(country.trim());
}

/** Whether a place is within the box of a province. */
export function isWithinProvince(province: Province, latitude: number, longitude: number): boolean {
  const { south, west, north, east } = province;
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}

import { nameKey } from '../vocabulary/name-key.ts';

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
 * south, west, north and east, rounded outward to about ten kilometres, then its names in Spanish, the regional language
 * and English.
 */
const ROWS = `
01|42.3|-3.4|43.3|-2.1|Álava|Araba
02|37.9|-3.1|39.6|-0.7|Albacete
03|37.7|-1.2|39.0|0.4|Alicante|Alacant|Costa Blanca
04|36.5|-3.3|38.0|-1.5|Almería
05|39.9|-5.9|41.3|-4.0|Ávila
06|37.8|-7.5|39.6|-4.5|Badajoz
07|38.5|1.0|40.3|4.5|Islas Baleares|Illes Balears|Baleares|Balears|Balearic Islands|Mallorca|Ibiza|Menorca
08|41.0|1.2|42.5|2.9|Barcelona
09|41.3|-4.5|43.4|-2.4|Burgos
10|38.9|-7.7|40.6|-4.8|Cáceres
11|35.9|-6.6|37.2|-4.9|Cádiz
12|39.6|-1.0|40.9|0.8|Castellón|Castelló
13|38.2|-5.2|39.7|-2.5|Ciudad Real
14|37.0|-5.7|38.9|-3.8|Córdoba
15|42.3|-9.5|44.0|-7.5|A Coruña|La Coruña|Coruña
16|39.1|-3.3|40.8|-1.0|Cuenca
17|41.5|1.6|42.6|3.5|Girona|Gerona
18|36.5|-4.5|38.2|-2.0|Granada
19|40.0|-3.7|41.5|-1.4|Guadalajara
20|42.7|-2.8|43.5|-1.6|Gipuzkoa|Guipúzcoa
21|36.6|-7.7|38.4|-6.0|Huelva
22|41.2|-1.1|43.0|1.0|Huesca
23|37.2|-4.5|38.7|-2.3|Jaén
24|41.9|-7.2|43.4|-4.6|León
25|41.1|0.2|43.0|2.0|Lleida|Lérida
26|41.8|-3.3|42.8|-1.5|La Rioja|Rioja
27|42.2|-8.2|43.9|-6.7|Lugo
28|39.7|-4.8|41.3|-2.9|Madrid
29|36.2|-5.8|37.5|-3.6|Málaga
30|37.2|-2.5|38.9|-0.5|Murcia
31|41.8|-2.7|43.4|-0.6|Navarra|Navarre|Nafarroa
32|41.7|-8.6|42.7|-6.6|Ourense|Orense
33|42.7|-7.4|43.8|-4.3|Asturias
34|41.6|-5.2|43.2|-3.7|Palencia
35|27.5|-16.1|29.6|-13.1|Las Palmas|Gran Canaria|Lanzarote|Fuerteventura
36|41.7|-9.1|43.0|-7.7|Pontevedra
37|40.1|-7.1|41.5|-4.9|Salamanca
38|27.4|-18.4|29.0|-15.9|Santa Cruz de Tenerife|Tenerife|La Gomera|La Palma|El Hierro
39|42.6|-5.0|43.7|-3.0|Cantabria
40|40.5|-4.9|41.8|-3.0|Segovia
41|36.7|-6.7|38.4|-4.5|Sevilla|Seville
42|40.9|-3.7|42.4|-1.6|Soria
43|40.4|0.0|41.7|1.8|Tarragona
44|39.7|-2.0|41.5|0.5|Teruel
45|39.1|-5.6|40.5|-2.8|Toledo
46|38.5|-1.7|40.4|0.2|Valencia|València
47|40.9|-5.7|42.5|-3.8|Valladolid
48|42.8|-3.6|43.6|-2.3|Bizkaia|Vizcaya|Biscay
49|41.0|-7.1|42.4|-5.1|Zamora
50|40.8|-2.3|42.9|0.5|Zaragoza|Saragossa
51|35.8|-5.5|36.0|-5.2|Ceuta
52|35.2|-3.1|35.4|-2.8|Melilla
`;

const PROVINCES: ReadonlyMap<string, Province> = new Map(
  ROWS.trim()
    .split('\n')
    .flatMap((row) => {
      const [prefix = '', ...cells] = row.split('|');
      const [south = 0, west = 0, north = 0, east = 0] = cells.slice(0, 4).map(Number);
      return cells.slice(4).map((name) => [nameKey(name), { prefix, south, west, north, east }] as const);
    }),
);

/** The province of Spain with a name, as feeds write it: `Málaga`, `malaga`, `Alicante/Alacant`, `Málaga (Province)`. */
export function findProvince(name: string): Province | undefined {
  const [first = ''] = name.split(/[/(,]/);
  return PROVINCES.get(nameKey(first));
}

/** Whether a place is within the box of a province. */
export function isWithinProvince(province: Province, latitude: number, longitude: number): boolean {
  const { south, west, north, east } = province;
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east;
}

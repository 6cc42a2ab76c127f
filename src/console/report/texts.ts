import { formatNumber } from '../format.tsx';
import type { InLanguages } from '../texts/language.ts';

const n = (value: number) => formatNumber(value, 'en');
const listings = (count: number) => (count === 1 ? '1 listing' : `${n(count)} listings`);

const ENGLISH = {
  clean: (count: number) => `Nothing to fix in ${listings(count)}`,
  errors: (count: number, all: number) => `${n(count)} of ${listings(all)} ${count === 1 ? 'has' : 'have'} errors`,
  noErrors: (all: number) => `No errors in ${listings(all)}`,
  lead: 'What portals reject, misread or rank last, grouped by what to do.',
  checked: 'Checked',
  withErrors: 'With errors',
  error: 'Errors',
  warning: 'Warnings',
  info: 'Suggestions',
  portal: 'For which portal',
  severity: 'How serious',
  allSeverities: 'Everything',
  allPortals: 'All that you use',
  csv: 'Download as CSV',
  affected: (count: number) => listings(count),
  onlyFor: (portals: string) => `For ${portals}`,
  see: (count: number) => `See ${listings(count)}`,
  hide: 'Hide this rule',
  showAgain: 'Show again',
  hidden: 'Hidden rules',
  fields: 'Where',
  value: 'Value',
  property: 'Property',
  back: 'All findings',
  none: 'No problems found',
  noneWhy: 'Every portal takes your listings as they are.',
  used: 'Portals that you use',
  usedWhy: 'Only their rules count. Connecting a portal adds it here.',
};

const m = (value: number) => formatNumber(value, 'es');
const inmuebles = (count: number) => (count === 1 ? '1 inmueble' : `${m(count)} inmuebles`);

const SPANISH: typeof ENGLISH = {
  clean: (count) => `Nada que corregir en ${inmuebles(count)}`,
  errors: (count, all) => `${m(count)} de ${inmuebles(all)} ${count === 1 ? 'tiene' : 'tienen'} errores`,
  noErrors: (all) => `Sin errores en ${inmuebles(all)}`,
  lead: 'Lo que los portales rechazan, malinterpretan o muestran al final, agrupado por lo que hay que hacer.',
  checked: 'Comprobados',
  withErrors: 'Con errores',
  error: 'Errores',
  warning: 'Avisos',
  info: 'Sugerencias',
  portal: 'Para qué portal',
  severity: 'Gravedad',
  allSeverities: 'Todo',
  allPortals: 'Todos los que utiliza',
  csv: 'Descargar como CSV',
  affected: inmuebles,
  onlyFor: (portals) => `Para ${portals}`,
  see: (count) => `Ver ${inmuebles(count)}`,
  hide: 'Ocultar esta regla',
  showAgain: 'Mostrar de nuevo',
  hidden: 'Reglas ocultas',
  fields: 'Dónde',
  value: 'Valor',
  property: 'Inmueble',
  back: 'Todos los resultados',
  none: 'No se ha encontrado ningún problema',
  noneWhy: 'Todos los portales aceptan sus inmuebles como están.',
  used: 'Portales que utiliza',
  usedWhy: 'Solo cuentan sus reglas. Al conectar un portal, se añade aquí.',
};

export const REPORT: InLanguages<typeof ENGLISH> = { en: ENGLISH, es: SPANISH };

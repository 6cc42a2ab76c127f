import { formatNumber } from '../format.tsx';
import type { InLanguages } from '../texts/language.ts';

const n = (value: number) => formatNumber(value, 'en');
const units = (count: number) => (count === 1 ? '1 unit' : `${n(count)} units`);

const ENGLISH = {
  developmentsTitle: (count: number) => (count === 1 ? '1 development' : `${n(count)} developments`),
  developmentsLead: 'Units that are sold one by one. Integrators update them through the API, and you can here.',
  development: 'Development',
  units: 'Units',
  none: 'You have no developments',
  noneWhy: 'Developments and their units come with an import, or from a program through the API.',
  unitsOf: (count: number) => units(count),
  boardTitle: (name: string, available: number) =>
    available === 0 ? `${name}: nothing is available` : `${name}: ${n(available)} available`,
  boardLead: (count: number, gone: number) => `${units(count)}, ${n(gone)} of them sold or reserved.`,
  editSeveral: 'Edit several',
  board: 'As a board',
  editTitle: (name: string) => `Edit the units of ${name}`,
  editLead: 'Change what you like. Before anything is saved, you see what was understood.',
  unit: 'Unit',
  changes: 'Changes',
  noChanges: 'Nothing has changed yet',
  noChangesWhy: 'New prices and statuses stand here, with who made them.',
  directions: 'Directions',
  version: (count: number) => `version ${n(count)}`,
  property: 'See the property',
  change: 'Change this unit',
  check: 'Check the changes',
  review: 'Is this right?',
  reviewSeveral: (count: number) => `Save ${count === 1 ? 'this change' : `these ${n(count)} changes`}?`,
  again: 'Change something else',
  saved: 'Saved. Every feed requested from now on shows it.',
  savedSeveral: (count: number) =>
    `${count === 1 ? '1 unit was' : `${n(count)} units were`} saved. Every feed requested from now on shows it.`,
  failedSeveral: (names: string) => `Not saved, because somebody else changed them in the meantime: ${names}.`,
  unchanged: 'Nothing was changed: these are the values already.',
  conflict:
    'Not saved: somebody else has changed this in the meantime. The form still has what you typed, with the current values below.',
  conflictAt: (now: string) => `Somebody else has changed it in the meantime. Now: ${now}`,
  limited: 'Too many changes at once. Try again in a minute.',
  invalid: 'Not saved. Correct the fields marked below.',
  sureMissing: 'Not saved. Confirm the price, or correct it.',
  currently: 'Currently:',
  notNumber: 'Enter an amount such as 345,000 or 345,000.50.',
  priceNegative: 'A price cannot be below zero.',
  priceBelowOne: 'This price is below 1. Feeds show a price of 0 as a price on request.',
  priceJump: 'The new price differs from the old one by more than a factor of three.',
  sure: 'Yes, this price is right.',
  sureSeveral: 'Yes, these prices are right.',
};

const m = (value: number) => formatNumber(value, 'es');
const unidades = (count: number) => (count === 1 ? '1 unidad' : `${m(count)} unidades`);

const SPANISH: typeof ENGLISH = {
  developmentsTitle: (count) => (count === 1 ? '1 promoción' : `${m(count)} promociones`),
  developmentsLead:
    'Unidades que se venden una a una. Los programas las actualizan por la API, y usted puede hacerlo aquí.',
  development: 'Promoción',
  units: 'Unidades',
  none: 'No tiene promociones',
  noneWhy: 'Las promociones y sus unidades llegan con una importación, o desde un programa por la API.',
  unitsOf: unidades,
  boardTitle: (name, available) =>
    available === 0
      ? `${name}: nada disponible`
      : `${name}: ${m(available)} ${available === 1 ? 'disponible' : 'disponibles'}`,
  boardLead: (count, gone) => `${unidades(count)}, de las cuales ${m(gone)} vendidas o reservadas.`,
  editSeveral: 'Editar varias',
  board: 'Como tablero',
  editTitle: (name) => `Editar las unidades de ${name}`,
  editLead: 'Cambie lo que quiera. Antes de guardar nada, verá lo que se ha entendido.',
  unit: 'Unidad',
  changes: 'Cambios',
  noChanges: 'Todavía no ha cambiado nada',
  noChangesWhy: 'Aquí aparecen los precios y estados nuevos, con quién los cambió.',
  directions: 'Orientaciones',
  version: (count) => `versión ${m(count)}`,
  property: 'Ver el inmueble',
  change: 'Modificar esta unidad',
  check: 'Revisar los cambios',
  review: '¿Es correcto?',
  reviewSeveral: (count) => (count === 1 ? '¿Guardar este cambio?' : `¿Guardar estos ${m(count)} cambios?`),
  again: 'Cambiar otra cosa',
  saved: 'Guardado. Todos los feeds que se soliciten desde ahora lo muestran.',
  savedSeveral: (count) =>
    `${count === 1 ? 'Se ha guardado 1 unidad' : `Se han guardado ${m(count)} unidades`}. Todos los feeds que se soliciten desde ahora lo muestran.`,
  failedSeveral: (names) => `No se han guardado, porque otra persona las ha modificado mientras tanto: ${names}.`,
  unchanged: 'No ha cambiado nada: ya tiene estos valores.',
  conflict:
    'No se ha guardado: otra persona lo ha modificado mientras tanto. El formulario conserva lo que ha escrito, con los valores actuales debajo.',
  conflictAt: (now) => `Otra persona la ha modificado mientras tanto. Ahora: ${now}`,
  limited: 'Demasiados cambios a la vez. Inténtelo de nuevo en un minuto.',
  invalid: 'No se ha guardado. Corrija los campos indicados.',
  sureMissing: 'No se ha guardado. Confirme el precio o corríjalo.',
  currently: 'Actualmente:',
  notNumber: 'Escriba un importe como 345.000 o 345.000,50.',
  priceNegative: 'El precio no puede ser inferior a cero.',
  priceBelowOne: 'El precio es inferior a 1. Los feeds muestran un precio de 0 como precio a consultar.',
  priceJump: 'El precio nuevo es más del triple del anterior, o menos de un tercio.',
  sure: 'Sí, este precio es correcto.',
  sureSeveral: 'Sí, estos precios son correctos.',
};

export const UNITS: InLanguages<typeof ENGLISH> = { en: ENGLISH, es: SPANISH };

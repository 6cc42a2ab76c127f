import { formatNumber } from '../format.tsx';
import type { InLanguages } from '../texts/language.ts';

const n = (value: number) => formatNumber(value, 'en');
const listings = (count: number) => (count === 1 ? '1 listing' : `${n(count)} listings`);

const ENGLISH = {
  attention: 'Needs your attention',
  allWell: 'All is well',
  nothingSince: (since: string | null) =>
    since === null
      ? 'Nothing has needed your attention in the last 30 days.'
      : `Nothing has needed your attention since ${since}.`,
  headings: {
    none: 'Connect your first portal',
    all: (count: number) => (count === 1 ? 'Your portal comes as usual' : `All ${n(count)} portals come as usual`),
    some: (ok: number, count: number) => `${n(ok)} of ${n(count)} portals come as usual`,
    waiting: (count: number) =>
      count === 1
        ? 'Waiting for the first visit of your portal'
        : `Waiting for the first visits of ${n(count)} portals`,
    paused: 'All portals are paused',
  },
  lead: (count: number, ago: string | null) =>
    `${listings(count)} in feeds.${ago === null ? '' : ` The last change was ${ago}.`}`,
  noneLead: 'Choose it from a list, and hand over the address that you get.',
  overdue: (title: string, when: string) => `${title} last came ${when}.`,
  overdueWhy: (interval: string) => `It usually comes every ${interval}. It does not have what has changed since.`,
  seePortal: 'See the portal',
  neverCame: (title: string) => `${title} has not come yet.`,
  neverWhy: (when: string) => `It was connected ${when}. Check that it has the address of your feed.`,
  keyEnds: (title: string, when: string) => `An old key of ${title} ends on ${when}.`,
  keyWhy: 'Until then, make sure that the portal uses the new address.',
  listingsWith: (count: number, fix: string) => `${listings(count)}: ${fix}`,
  seeListings: (count: number) => `See ${listings(count)}`,
  webhookOff: (name: string) => `The webhook ${name} is switched off.`,
  webhookGone: 'Its address answered that it is gone for good.',
  webhookFailing: (when: string) => `Its address has failed since ${when}.`,
  webhookFails: (name: string) => `The webhook ${name} cannot be reached.`,
  seeWebhook: 'See the webhook',
  portals: 'Portals',
  allPortals: 'All portals',
  connect: 'Connect a portal',
  addProperty: 'Add a property',
  portal: 'Portal',
  lastDays: 'Last 30 days',
  lastVisit: 'Last visit',
  state: 'State',
  days: (title: string, visited: number) => `${title}: visits on ${n(visited)} of the last 30 days`,
  states: { onTime: 'As usual', overdue: 'Overdue', never: 'Not yet', paused: 'Paused' },
  noPortals: 'No portal is connected yet',
  noPortalsWhy: 'A portal fetches your listings from an address of its own. Connecting one takes a minute.',
  changes: 'Changes of the last days',
  noChanges: 'Nothing has changed in the last seven days',
  noChangesWhy: 'New prices and statuses stand here, with who made them and which portals have them.',
  severalListings: listings,
  by: (who: string) => `by ${who}`,
  portalsHave: (some: number, all: number) => `${n(some)} of ${n(all)} portals have been sent this`,
  portfolio: 'Portfolio',
  allProperties: 'All properties',
  noProperties: 'You have no properties yet',
  noPropertiesWhy: 'They come with an import from your program, or you add them here.',
};

const m = (value: number) => formatNumber(value, 'es');
const inmuebles = (count: number) => (count === 1 ? '1 inmueble' : `${m(count)} inmuebles`);

const SPANISH: typeof ENGLISH = {
  attention: 'Requiere su atención',
  allWell: 'Todo está en orden',
  nothingSince: (since) =>
    since === null
      ? 'Nada ha requerido su atención en los últimos 30 días.'
      : `Nada ha requerido su atención desde el ${since}.`,
  headings: {
    none: 'Conecte su primer portal',
    all: (count) => (count === 1 ? 'Su portal viene como siempre' : `Los ${m(count)} portales vienen como siempre`),
    some: (ok, count) => `${m(ok)} de ${m(count)} portales vienen como siempre`,
    waiting: (count) =>
      count === 1
        ? 'Esperando la primera visita de su portal'
        : `Esperando las primeras visitas de ${m(count)} portales`,
    paused: 'Todos los portales están en pausa',
  },
  lead: (count, ago) => `${inmuebles(count)} en los feeds.${ago === null ? '' : ` El último cambio fue ${ago}.`}`,
  noneLead: 'Elíjalo de una lista y entregue la dirección que recibirá.',
  overdue: (title, when) => `${title} vino por última vez ${when}.`,
  overdueWhy: (interval) => `Suele venir cada ${interval}. No tiene lo que ha cambiado desde entonces.`,
  seePortal: 'Ver el portal',
  neverCame: (title) => `${title} todavía no ha venido.`,
  neverWhy: (when) => `Se conectó ${when}. Compruebe que tiene la dirección de su feed.`,
  keyEnds: (title, when) => `Una clave antigua de ${title} caduca el ${when}.`,
  keyWhy: 'Asegúrese de que el portal use antes la dirección nueva.',
  listingsWith: (count, fix) => `${inmuebles(count)}: ${fix}`,
  seeListings: (count) => `Ver ${inmuebles(count)}`,
  webhookOff: (name) => `El webhook ${name} está desactivado.`,
  webhookGone: 'Su dirección respondió que ya no existe.',
  webhookFailing: (when) => `Su dirección falla desde ${when}.`,
  webhookFails: (name) => `No se puede contactar con el webhook ${name}.`,
  seeWebhook: 'Ver el webhook',
  portals: 'Portales',
  allPortals: 'Todos los portales',
  connect: 'Conectar un portal',
  addProperty: 'Añadir un inmueble',
  portal: 'Portal',
  lastDays: 'Últimos 30 días',
  lastVisit: 'Última visita',
  state: 'Estado',
  days: (title, visited) => `${title}: visitas en ${m(visited)} de los últimos 30 días`,
  states: { onTime: 'Como siempre', overdue: 'Con retraso', never: 'Aún no', paused: 'En pausa' },
  noPortals: 'Todavía no hay ningún portal conectado',
  noPortalsWhy: 'Un portal recoge sus inmuebles de una dirección propia. Conectar uno lleva un minuto.',
  changes: 'Cambios de los últimos días',
  noChanges: 'No ha cambiado nada en los últimos siete días',
  noChangesWhy: 'Aquí aparecen los precios y estados nuevos, con quién los cambió y qué portales los tienen.',
  severalListings: inmuebles,
  by: (who) => `por ${who}`,
  portalsHave: (some, all) => `Se ha enviado a ${m(some)} de ${m(all)} portales`,
  portfolio: 'Cartera',
  allProperties: 'Todos los inmuebles',
  noProperties: 'Todavía no tiene inmuebles',
  noPropertiesWhy: 'Llegan con una importación desde su programa, o los añade usted aquí.',
};

export const HOME: InLanguages<typeof ENGLISH> = { en: ENGLISH, es: SPANISH };

import type { DemoPerson, DemoPortal } from './types.ts';

/**
 * The people of the demo agency. None is an owner: an account whose owner has a password of their
 * own no longer lets anybody in with the account's password, which `npm start` prints.
 */
export const PEOPLE: readonly DemoPerson[] = [
  { name: 'Ana Ruiz', role: 'editor', password: 'costa-sur-ana' },
  { name: 'Tom Baker', role: 'editor', password: 'costa-sur-tom' },
];

/** Its portals, one at least for each format. ThinkSPAIN has stopped coming, and is overdue. */
export const PORTALS: readonly DemoPortal[] = [
  {
    name: 'kyero',
    title: 'Kyero',
    portal: 'kyero',
    format: 'kyero',
    preset: '',
    kind: 'international_portal',
    rules: 'kyero',
    fetches: {
      at: '03:10',
      everyHours: 24,
      isConditional: true,
      bytes: 70_000,
      records: 69,
      program: 'KyeroBot/3.0 (+https://www.kyero.com)',
    },
  },
  {
    name: 'idealista',
    title: 'Idealista',
    portal: 'idealista',
    format: 'idealista',
    preset: `CustomerCode=ilc${'0'.repeat(40)}`,
    kind: 'national_portal',
    rules: 'idealista',
    fetches: {
      at: '05:45',
      everyHours: 24,
      isConditional: false,
      bytes: 69_000,
      records: 67,
      program: 'idealista-feed-reader/2.4',
    },
  },
  {
    name: 'website',
    title: 'Own website',
    portal: 'website',
    format: 'resales',
    preset: 'FV=3',
    kind: 'own_website',
    fetches: {
      at: '00:30',
      everyHours: 3,
      isConditional: true,
      bytes: 58_000,
      records: 69,
      program: 'WordPress/6.7; https://costa-sur.example',
    },
  },
  {
    name: 'thinkspain',
    title: 'ThinkSPAIN',
    portal: 'thinkspain',
    format: 'kyero',
    preset: '',
    kind: 'international_portal',
    rules: 'kyero',
    fetches: {
      at: '04:20',
      everyHours: 24,
      stoppedDaysAgo: 5,
      isConditional: false,
      bytes: 70_000,
      records: 69,
      program: 'thinkspain-import/1.8',
    },
  },
  {
    name: 'a-place-in-the-sun',
    title: 'A Place in the Sun',
    portal: 'aplaceinthesun',
    format: 'kyero',
    preset: 'T=SALE',
    kind: 'international_portal',
    rules: 'a-place-in-the-sun',
    channel: 'sea-views',
    fetches: {
      at: '02:00',
      everyHours: 24,
      isConditional: true,
      bytes: 9_000,
      records: 9,
      program: 'APITS-Feed/5.2',
    },
  },
];

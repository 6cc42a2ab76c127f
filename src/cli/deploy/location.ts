import { createInterface } from 'node:readline';
import { EXIT, Failure } from '../command/failure.ts';

/** Where the database is created: near a place, or bound to a jurisdiction. */
export type Location =
  | { readonly location: string; readonly jurisdiction?: never }
  | { readonly jurisdiction: string; readonly location?: never };

interface Choice {
  readonly name: string;
  readonly region: string;
}

/**
 * The locations of D1 (developers.cloudflare.com/d1/configuration/data-location), each with a cloud region in its middle:
 * which data centers a location comprises is not documented.
 */
export const LOCATIONS: Readonly<Record<string, Choice>> = {
  weur: { name: 'Western Europe', region: 'aws:eu-west-3' },
  eeur: { name: 'Eastern Europe', region: 'aws:eu-central-1' },
  wnam: { name: 'Western North America', region: 'aws:us-west-2' },
  enam: { name: 'Eastern North America', region: 'aws:us-east-1' },
  apac: { name: 'Asia and the Pacific', region: 'aws:ap-southeast-1' },
  oc: { name: 'Oceania', region: 'aws:ap-southeast-2' },
};

/** The jurisdictions that are documented; another one is passed on to Cloudflare. */
export const JURISDICTIONS: Readonly<Record<string, Choice>> = {
  eu: { name: 'stored and run within the European Union only', region: 'aws:eu-central-1' },
  us: { name: 'stored and run within the United States only', region: 'aws:us-east-1' },
  fedramp: { name: 'in FedRAMP-compliant data centers only', region: 'aws:us-east-1' },
};

/** A database as Cloudflare's API describes it; the region is that of its primary, in capitals. */
export interface DatabaseInfo {
  readonly uuid: string;
  readonly running_in_region?: string | null;
  readonly jurisdiction?: string | null;
}

/**
 * The cloud region to place the Worker near: each request then costs one round trip to the region of the database and none
 * between the Worker and the database. Placement takes regions of cloud providers, not those of D1
 * (developers.cloudflare.com/changelog/post/2026-01-22-explicit-placement-hints).
 *
 * @param asked the requested location of a new database, in case the API does not report the actual one
 * @returns `undefined` if nothing tells where the database is
 */
export function placementRegion(
  { running_in_region, jurisdiction }: DatabaseInfo,
  asked: Location | undefined,
): string | undefined {
  const place = LOCATIONS[running_in_region?.toLowerCase() ?? ''] ?? LOCATIONS[asked?.location ?? ''];
  return (place ?? JURISDICTIONS[jurisdiction ?? asked?.jurisdiction ?? ''])?.region;
}

/** The possible locations, with what they mean. */
export const LOCATION_CHOICES = `Where the database is created, which cannot be changed later:

${listed('--location', LOCATIONS)}
${listed('--jurisdiction', JURISDICTIONS)}`;

function listed(flag: string, choices: Readonly<Record<string, Choice>>): string {
  return Object.entries(choices)
    .map(([code, { name }]) => `  npm run deploy -- ${`${flag} ${code}`.padEnd(22)}  ${name}\n`)
    .join('');
}

/**
 * Prompts for the location of a new database.
 *
 * @throws Failure `no_location` if not on a terminal, or without an answer
 */
export async function askLocation(input: Input = process.stdin, output: Output = process.stdout): Promise<Location> {
  const missing = new Failure('no_location', `The first deployment needs a location. ${LOCATION_CHOICES}`, EXIT.usage);
  if (!input.isTTY || !output.isTTY) throw missing;
  const lines = createInterface({ input });
  const prompt = (): void => void output.write('Location or jurisdiction: ');
  output.write(`${LOCATION_CHOICES}\n`);
  prompt();
  try {
    for await (const line of lines) {
      const answer = line.trim().toLowerCase();
      if (Object.hasOwn(LOCATIONS, answer)) return { location: answer };
      if (Object.hasOwn(JURISDICTIONS, answer)) return { jurisdiction: answer };
      prompt();
    }
    throw missing;
  } finally {
    lines.close();
  }
}

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

/**
 * Checks that an existing database matches the requested location. A location is only a hint, so a database elsewhere
 * is accepted; a jurisdiction is a commitment to others.
 */
export function checkLocation({ jurisdiction }: DatabaseInfo, asked: Location | undefined): void {
  if (asked?.jurisdiction === undefined || jurisdiction === asked.jurisdiction) return;
  throw new Failure(
    'wrong_jurisdiction',
    `The database exists and is not bound to the jurisdiction ${asked.jurisdiction}, which cannot be added later. Export ` +
      'the accounts, delete it with "npx wrangler d1 delete", and deploy again.',
  );
}

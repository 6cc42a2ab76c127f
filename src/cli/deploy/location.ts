import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { EXIT, Failure } from '../command/failure.ts';

/** Where the database is created: near a place, or bound to a jurisdiction. */
export type Location = { readonly location: string } | { readonly jurisdiction: string };

/**
 * The locations of D1 (developers.cloudflare.com/d1/configuration/data-location), each with a cloud region in its middle:
 * which data centers a location comprises is not documented.
 */
const LOCATIONS = {
  weur: { name: 'Western Europe', region: 'aws:eu-west-3' },
  eeur: { name: 'Eastern Europe', region: 'aws:eu-central-1' },
  wnam: { name: 'Western North America', region: 'aws:us-west-2' },
  enam: { name: 'Eastern North America', region: 'aws:us-east-1' },
  apac: { name: 'Asia and the Pacific', region: 'aws:ap-southeast-1' },
  oc: { name: 'Oceania', region: 'aws:ap-southeast-2' },
} as const;

const JURISDICTIONS = {
  eu: { name: 'stored and run within the European Union only', region: 'aws:eu-central-1' },
  fedramp: { name: 'in FedRAMP-compliant data centers only', region: 'aws:us-east-1' },
} as const;

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
 * @param chosen the requested location of the database, in case the API does not report the actual one
 */
export function placementRegion({ running_in_region, jurisdiction }: DatabaseInfo, chosen?: Location): string {
  const region = running_in_region?.toLowerCase() ?? (chosen && 'location' in chosen ? chosen.location : undefined);
  if (isOneOf(LOCATIONS, region)) return LOCATIONS[region].region;
  const bound = jurisdiction ?? (chosen && 'jurisdiction' in chosen ? chosen.jurisdiction : undefined);
  return isOneOf(JURISDICTIONS, bound) ? JURISDICTIONS[bound].region : LOCATIONS.weur.region;
}

/** The location in the command line, if any. */
export function parseLocation(args: readonly string[]): Location | undefined {
  const { location, jurisdiction } = parse(args);
  if (location !== undefined && jurisdiction !== undefined) {
    throw usage('Choose --location or --jurisdiction, not both: a jurisdiction includes a location.');
  }
  if (location !== undefined) {
    if (!isOneOf(LOCATIONS, location)) throw usage(`Invalid location: ${location}.\n\n${LOCATION_CHOICES}`);
    return { location };
  }
  if (jurisdiction === undefined) return undefined;
  if (!isOneOf(JURISDICTIONS, jurisdiction))
    throw usage(`Invalid jurisdiction: ${jurisdiction}.\n\n${LOCATION_CHOICES}`);
  return { jurisdiction };
}

function parse(args: readonly string[]): { location?: string | undefined; jurisdiction?: string | undefined } {
  try {
    return parseArgs({ args: [...args], options: { location: { type: 'string' }, jurisdiction: { type: 'string' } } })
      .values;
  } catch (error) {
    throw usage(`${(error as Error).message}\n\n${LOCATION_CHOICES}`);
  }
}

/** The options of `npm run deploy`, with what they mean. */
export const LOCATION_CHOICES = `Where the database is created, which cannot be changed later:

${listed('--location', LOCATIONS)}
${listed('--jurisdiction', JURISDICTIONS)}`;

function listed(flag: string, choices: Readonly<Record<string, { readonly name: string }>>): string {
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
      if (isOneOf(LOCATIONS, answer)) return { location: answer };
      if (isOneOf(JURISDICTIONS, answer)) return { jurisdiction: answer };
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
  if (asked === undefined || !('jurisdiction' in asked) || jurisdiction === asked.jurisdiction) return;
  throw new Failure(
    'wrong_jurisdiction',
    `The database exists and is not bound to the jurisdiction ${asked.jurisdiction}, which cannot be added later. Export ` +
      'the accounts, delete it with "npx wrangler d1 delete", and deploy again.',
  );
}

function isOneOf<Choices extends object>(choices: Choices, code: string | undefined): code is keyof Choices & string {
  return code !== undefined && Object.hasOwn(choices, code);
}

function usage(message: string): Failure {
  return new Failure('usage', message, EXIT.usage);
}

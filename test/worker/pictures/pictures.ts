import { env } from 'cloudflare:workers';
import type { Env } from '../../../src/env.ts';
import { type Agency, obtainToken, openAgency } from '../../support/accounts/units.ts';
import { png } from '../../support/documents/pictures.ts';
import { call } from '../../support/worker/api.ts';

/** An agency with properties and a client that may write them. */
export interface Photographed {
  readonly agency: Agency;
  readonly headers: Record<string, string>;
}

/** A property of no interest but for its pictures. */
export const HOME = {
  ref: 'P-1',
  type: 'Villa',
  status: 'Available',
  town: 'Nerja',
  province: 'Málaga',
  beds: 3,
  bath: 2,
  built_area: 120,
  address: 'Calle Mayor 1',
  postcode: '29780',
  offers: { sale: { price: 250_000 } },
} as const;

export async function openPhotographed(
  code: string,
  ids: readonly string[] = ['P1'],
): Promise<Photographed> {
  const agency = await openAgency(code, [], ['properties:read', 'properties:write']);
  const token = await obtainToken(agency);
  const headers = { Authorization: `Bearer ${token}` };
  for (const id of ids) {
    const json = { ...headers, 'Content-Type': 'application/json' };
    const { status } = await call('PUT', `/v1/properties/${id}`, { ...HOME, ref: id }, json);
    if (status !== 201) throw new Error(`No property: ${status}`);
  }
  return { agency, headers };
}

/** Sends a picture to a property. */
export function add(
  { headers }: Pick<Photographed, 'headers'>,
  id: string,
  file: Uint8Array | string,
  type = 'image/jpeg',
  bindings: Env = env,
) {
  const more = { 'Content-Type': type, 'Content-Length': String(file.length) };
  return call('POST', `/v1/properties/${id}/pictures`, file, { ...headers, ...more }, bindings);
}

/** A JPEG of a size, in two halves. */
export async function jpeg(width: number, height: number, seed = 0): Promise<Uint8Array> {
  const body = new Response(png(width, height, height, seed)).body!;
  const made = env.IMAGES.input(body).output({ format: 'image/jpeg' });
  return new Uint8Array(await (await made).response().arrayBuffer());
}

/** The names of the files of an account's pictures. */
export async function filesOf(code: string): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: `pictures/${code}/` });
  return objects.map(({ key }) => key.split('/').at(-1)!).sort();
}

export async function originalsOf(code: string): Promise<number> {
  return (await env.FILES.list({ prefix: `originals/${code}/` })).objects.length;
}

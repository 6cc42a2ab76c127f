import type { PropertyDocument } from '../../portfolio/documents.ts';
import { type PartialReport, shortened } from '../../rules/check.ts';
import type { FoundIn } from '../../rules/rule.ts';
import type { Progress } from '../import/progress.ts';

/** Requests in flight, and how long a server may take for one. */
const IN_FLIGHT = 8;
const TIMEOUT_MS = 10_000;

export interface Link {
  readonly property: string;
  readonly node: string;
  readonly url: string;
}

export function linksOf({ id, pictures, texts }: PropertyDocument): Link[] {
  const pages = Object.entries(texts).flatMap(([language, text]) =>
    text?.url ? [{ property: id, node: `url/${language}`, url: text.url }] : [],
  );
  return [...pages, ...pictures.map((url, index) => ({ property: id, node: `images/image[${index + 1}]/url`, url }))];
}

/**
 * Requests every address once, and finds those that do not exist according to their server: 404, 410, or no such host.
 * An address whose server does not answer, or answers with another error, may exist.
 */
export async function findGoneLinks(links: readonly Link[], progress: Progress): Promise<PartialReport> {
  const urls = new Set(links.map(({ url }) => url));
  const reasons = new Map<string, string>();
  progress.begin('Requesting links', urls.size);
  const left = urls.values();
  const work = async () => {
    for (const url of left) {
      const reason = await reasonGone(url);
      if (reason !== null) reasons.set(url, reason);
      progress.add(1);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const found = links.flatMap(({ property, node, url }): FoundIn[] => {
    const reason = reasons.get(url);
    return reason === undefined ? [] : [{ property, node, value: shortened(`${reason} ${url}`) }];
  });
  return { traces: [], findings: { link_gone: found } };
}

/** Why an address does not exist; `null` if it may. */
async function reasonGone(url: string): Promise<string | null> {
  if (!/^https?:\/\//i.test(url)) return null;
  try {
    const asked = await request(url, { method: 'HEAD' });
    // Some servers do not implement HEAD, or reject it with the status of a missing page.
    const status = asked < 400 ? asked : await request(url, { method: 'GET', headers: { Range: 'bytes=0-0' } });
    return status === 404 || status === 410 ? String(status) : null;
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return code === 'ENOTFOUND' ? code : null;
  }
}

async function request(url: string, init: RequestInit): Promise<number> {
  const { status, body } = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  await body?.cancel();
  return status;
}

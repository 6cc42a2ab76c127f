import type { PropertyDocument } from '../../properties/documents.ts';
import { addressOf } from '../../properties/pictures.ts';
import { type PartialReport, shortened } from '../../rules/check.ts';
import type { FoundIn } from '../../rules/rule.ts';
import type { Progress } from '../portfolio/progress.ts';

/** Requests in flight, and how long a server may take for one. */
const IN_FLIGHT = 8;
const TIMEOUT_MS = 10_000;

/** The addresses of a property's pages and pictures, as findings whose values they are. */
export function linksOf({ id, pictures, texts }: PropertyDocument): FoundIn[] {
  const pages = Object.entries(texts).flatMap(([language, text]) =>
    text?.url ? [{ property: id, node: `url/${language}`, value: text.url }] : [],
  );
  const images = pictures.map((picture, at) => ({
    property: id,
    node: `images/image[${at + 1}]/url`,
    value: addressOf(picture),
  }));
  return [...pages, ...images];
}

/**
 * Requests every address once, and finds those that do not exist according to their server: 404,
 * 410, or no such host. If a server is not responding or returns another error, its addresses are
 * not reported: they may exist.
 */
export async function findGoneLinks(
  links: readonly FoundIn[],
  progress: Progress,
): Promise<PartialReport> {
  const urls = new Set(links.map(({ value }) => value));
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
  const found = links.flatMap((link): FoundIn[] => {
    const reason = reasons.get(link.value);
    return reason === undefined ? [] : [{ ...link, value: shortened(`${reason} ${link.value}`) }];
  });
  return { traces: [], findings: { link_gone: found } };
}

async function reasonGone(url: string): Promise<string | null> {
  if (!/^https?:\/\//i.test(url)) return null;
  try {
    const asked = await request(url, { method: 'HEAD' });
    // Some servers do not implement HEAD, or reject it with the status of a missing page.
    const status =
      asked < 400 ? asked : await request(url, { method: 'GET', headers: { Range: 'bytes=0-0' } });
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

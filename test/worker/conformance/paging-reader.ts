import { parseXml, type XmlElement } from '../../support/xml.ts';

/** A page of a feed, as it was answered. */
export interface Page {
  readonly status: number;
  readonly xml: string;
}

/** What the reader ends with: the records of all pages together, or the reason why there is none. */
export type PagedImport =
  | { readonly ids: readonly string[]; readonly requests: number }
  | { readonly error: string; readonly requests: number };

/** As many requests as the program that this reader is like makes before it gives up. */
const MOST_REQUESTS = 99;

/** Reads a feed page by page until one has fewer records than it asked for. */
export async function importPages(size: number, fetchPage: (page: number) => Promise<Page>): Promise<PagedImport> {
  const ids: string[] = [];
  for (let page = 1; page <= MOST_REQUESTS; page++) {
    const { status, xml } = await fetchPage(page);
    const root = parseXml(xml);
    if (status !== 200) return { error: root.textOf('error/code') ?? `${status}`, requests: page };
    const records: XmlElement[] = root.all('property');
    ids.push(...records.map((record) => record.textOf('id') ?? ''));
    if (records.length < size) return { ids, requests: page };
  }
  throw new Error(`The feed has no end: ${ids.length} records after ${MOST_REQUESTS} requests`);
}

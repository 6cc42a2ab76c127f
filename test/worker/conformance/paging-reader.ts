import { parseXml, type XmlElement } from '../../support/xml.ts';

/** The response to a request for one page. */
export interface Page {
  readonly status: number;
  readonly xml: string;
}

/** The result: the records of all pages together, or the code of the error. */
export type PagedImport =
  | { readonly ids: readonly string[]; readonly requests: number }
  | { readonly error: string; readonly requests: number };

/** The program that this reader is modelled on gives up after as many requests. */
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

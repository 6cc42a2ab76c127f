import { expect } from 'vitest';
import { ask } from './ask.ts';
import { checkDocument, type FeedQuery, type FeedResponse, queryText } from './feed.ts';
import type { XmlElement } from './xml.ts';

/** The address of a Kyero feed. */
export function kyeroUrl(query: FeedQuery): string {
  return `https://feeds.example/kyero.xml?${queryText(query)}`;
}

/**
 * Requests a Kyero feed, waits for the background tasks, and checks the response: its content type; a feed against its
 * schema and for empty elements; anything else against the schema of errors.
 */
export async function fetchKyero(query: FeedQuery, init: RequestInit = {}): Promise<FeedResponse> {
  return checkDocument(await ask(kyeroUrl(query), init), (document) => {
    expect(document.textOf('kyero/feed_version')).toBe('3');
    expect(document.all('property').flatMap(emptyElements)).toEqual([]);
    return document.all('property').some((record) => record.has('status')) ? 'kyero-extended.xsd' : 'kyero.xsd';
  });
}

/** Elements that the format requires whatever their content. */
const MAY_BE_EMPTY = ['desc', 'images'];

function emptyElements(element: XmlElement): string[] {
  if (element.children.length > 0) return element.children.flatMap(emptyElements);
  return element.text === '' && !MAY_BE_EMPTY.includes(element.name) ? [element.name] : [];
}

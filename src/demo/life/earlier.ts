import type { PropertyDocument, UnitDocument } from '../../properties/documents.ts';
import { priceChanges, withFacts, withUnitChanges, withWords } from './change.ts';
import { EVENTS } from './events.ts';
import type { DemoEvent } from './types.ts';

type Document = { readonly kind: string } | PropertyDocument | UnitDocument;

/**
 * The portfolio of the demo agency as it was before all events: `demo.ndjson` says what it is after
 * them, so it is the only place with the present state. Documents that no event changes stay as
 * they are, to the byte.
 */
export function earlierPortfolio(file: string): string {
  return file.replaceAll(/^.+$/gm, (line) => {
    const document: Document = JSON.parse(line);
    const earlier = EVENTS.toReversed().reduce(undone, document);
    return earlier === document ? line : JSON.stringify(earlier);
  });
}

/** A document before an event; the same object if the event does not change it. */
function undone(document: Document, event: DemoEvent): Document {
  if (isUnit(document)) {
    const changed =
      event.kind === 'unit' ? [event] : event.kind === 'import units' ? event.units : [];
    const own = changed.find(
      ({ development, unit }) => development === document.development && unit === document.name,
    );
    return own === undefined ? document : withUnitChanges(document, own, 'before');
  }
  if (!isProperty(document)) return document;
  if (event.kind === 'import prices') {
    const price = event.prices[document.id];
    return price === undefined ? document : withFacts(document, priceChanges(price), 'before');
  }
  if (!('property' in event) || event.property !== document.id) return document;
  return event.kind === 'text'
    ? withWords(document, event, 'before')
    : withFacts(document, event.changes, 'before');
}

function isUnit(document: Document): document is UnitDocument {
  return document.kind === 'unit';
}

function isProperty(document: Document): document is PropertyDocument {
  return document.kind === 'property';
}

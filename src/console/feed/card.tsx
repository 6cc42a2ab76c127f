import type { Child } from 'hono/jsx';
import { formatNumber } from '../format.tsx';
import type { Visitor } from '../page.tsx';
import type { Listing, ListingOffer } from './listing.ts';

interface CardProps {
  readonly listing: Listing;
  /** The language of the description, in ISO 639-1. */
  readonly language: string;
  readonly visitor: Visitor;
  readonly children: Child;
}

/** A property of a feed as a card. */
export function ListingCard({ listing, language, visitor, children }: CardProps) {
  const { texts } = visitor;
  const { reference, type, offers, place, pictures, beds, baths, status, description } = listing;
  return (
    <article class="card">
      {pictures.length > 0 && (
        <div class="pictures">
          {pictures.map((address, index) => (
            <img
              src={address}
              alt={`${texts.picture} ${index + 1}, ${reference}`}
              loading="lazy"
              referrerpolicy="no-referrer"
            />
          ))}
        </div>
      )}
      <h3>{type || reference}</h3>
      {offers.map((offer) => (
        <p>
          <strong>{priceText(offer, listing.currency, visitor)}</strong>
        </p>
      ))}
      <p>{place}</p>
      <p>
        {texts.reference} {reference} · {texts.beds} {beds} · {texts.baths} {baths} · {texts.statuses[status] ?? status}
      </p>
      <p lang={language}>{description}</p>
      {children}
    </article>
  );
}

/** The price of an offer with its period: `1,200 EUR a month`. */
function priceText({ period, prices }: ListingOffer, currency: string, { texts, language }: Visitor): string {
  const offer = { sale: texts.forSale, month: texts.longTerm, week: texts.shortTerm }[period];
  if (prices.length === 0) return `${offer}: ${texts.onRequest}`;
  const amount = `${prices.map((price) => formatNumber(price, language)).join('–')} ${currency}`;
  return period === 'sale' ? amount : `${amount} ${texts[period]}`;
}

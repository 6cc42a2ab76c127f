import type { Child } from 'hono/jsx';
import { formatMoney } from '../format.tsx';
import { Chip } from '../frame/parts.tsx';
import { textOf } from '../texts/catalogue.ts';
import { STATUS_TONES } from '../texts/tones.ts';
import type { Guest } from '../visit.ts';
import type { Listing, ListingOffer } from './listing.ts';
import { FEED } from './texts.ts';

interface CardProps {
  readonly listing: Listing;
  /** The language of the description, in ISO 639-1. */
  readonly language: string;
  readonly guest: Guest;
  readonly children: Child;
}

/** A property of a feed as a card. */
export function ListingCard({ listing, language, guest, children }: CardProps) {
  const { texts: common } = guest;
  const texts = FEED[guest.language];
  const { reference, type, offers, place, pictures, beds, baths, status, description } = listing;
  const [cover, ...others] = pictures;
  return (
    <article class="card">
      {cover !== undefined && (
        <img class="cover" src={cover} alt={`${type}, ${reference}`} loading="lazy" referrerpolicy="no-referrer" />
      )}
      <div class="body stack close">
        <div>
          <h2>{[type, place].filter(Boolean).join(', ') || reference}</h2>
          <span class="small muted">{reference}</span>
        </div>
        {offers.map((offer) => (
          <b>{priceText(offer, listing.currency, guest)}</b>
        ))}
        <div class="actions">
          <Chip tone={STATUS_TONES[status] ?? 'none'}>{textOf(common.statuses, status)}</Chip>
          <span class="small muted">{texts.rooms({ beds, baths })}</span>
        </div>
        <p lang={language} class="small">
          {description}
        </p>
        {others.length > 0 && (
          <div class="pictures">
            {others.map((address, index) => (
              <img
                src={address}
                alt={`${texts.picture} ${index + 2}, ${reference}`}
                loading="lazy"
                referrerpolicy="no-referrer"
              />
            ))}
          </div>
        )}
        {children}
      </div>
    </article>
  );
}

/** The price of an offer with its period: `€1,200 a month`. */
export function priceText({ period, prices }: ListingOffer, currency: string, { texts, language }: Guest): string {
  const offer = { sale: texts.forSale, month: texts.longTerm, week: texts.shortTerm }[period];
  if (prices.length === 0) return `${offer}: ${texts.onRequest}`;
  const amount = prices.map((price) => formatMoney(price, currency, language)).join(' – ');
  return period === 'sale' ? amount : `${amount} ${period === 'month' ? texts.aMonth : texts.aWeek}`;
}

import type { Child } from 'hono/jsx';
import { Status } from '../frame/status.tsx';
import { pricesText } from '../properties/price.ts';
import { FEED } from '../texts/texts.ts';
import { useGuest, useTexts } from '../visit.ts';
import type { Listing } from './listing.ts';

interface CardProps {
  readonly listing: Listing;
  /** The language of the description, in ISO 639-1. */
  readonly language: string;
  readonly children: Child;
}

/** A property of a feed as a card. */
export function ListingCard({ listing, language, children }: CardProps) {
  const guest = useGuest();
  const texts = useTexts(FEED);
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
        {pricesText(offers, guest).map((price) => (
          <b>{price}</b>
        ))}
        <div class="actions">
          <Status status={status} />
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

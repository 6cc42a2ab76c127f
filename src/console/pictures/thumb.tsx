import { thumbnailOf } from '../../properties/pictures.ts';
import { Icon } from '../frame/icon.tsx';
import { useTexts } from '../visit.ts';

/** Rows of a list whose pictures are requested at once. */
export const FIRST_SCREEN = 8;

/**
 * The main picture of a property, small, over an icon: that is what stands there while the picture is on its way, and if it is gone.
 *
 * @param address `null` if there is none
 */
export function Thumb({
  address,
  isEager,
}: {
  readonly address: string | null;
  readonly isEager: boolean;
}) {
  const { noPicture } = useTexts('properties');
  const isShown = address !== null && /^https?:/.test(address);
  return (
    <span class="thumb" title={isShown ? undefined : noPicture}>
      <Icon name="picture" />
      {isShown && (
        <img
          src={thumbnailOf(address)}
          alt=""
          loading={isEager ? 'eager' : 'lazy'}
          decoding="async"
          referrerpolicy="no-referrer"
          width="76"
          height="54"
        />
      )}
    </span>
  );
}

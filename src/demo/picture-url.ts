/**
 * The URL of a picture of the demo agencies, such as `http://localhost:8787/demo/pictures/cs-1001/1-villa.jpg`. Everyone who
 * can read the feed of a service for development can also load them from it.
 */
const DEMO_PICTURE = /^https?:\/\/[^/]+\/demo\/pictures\//;

export function isDemoPicture(url: string): boolean {
  return DEMO_PICTURE.test(url);
}

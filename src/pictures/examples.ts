/** A picture at the address of somebody else. */
export const ELSEWHERE = {
  url: 'https://www.example.com/villa/1.jpg',
  kind: 'photo' as const,
  width: null,
  height: null,
};

/** A picture that was taken in. */
export const PICTURE = {
  url: 'https://feeds.example/pictures/DEMO/5f1d7e2a9c3b48d6a0e7f4c1b2d3e4f5-2560.jpg',
  kind: 'photo' as const,
  width: 2560,
  height: 1920,
};

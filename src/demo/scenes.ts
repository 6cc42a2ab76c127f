/** Draws a scene of 1200 by 800, varied by a hue from 0 to 359. */
type Draw = (hue: number) => string;

const SCENES: Readonly<Record<string, Draw>> = {
  front: (hue) => outdoors(hue) + ground('#8fae6b') + house(hue) + palm(120, 600) + palm(1080, 590),
  pool: (hue) =>
    outdoors(hue) + ground('#e8dcc4') + poolShape(600, 620) + palm(140, 560) + lounger(930, 560) + lounger(1040, 580),
  living: (hue) => room(hue) + windowToSea(700, 140, 400, 300) + sofa(hue) + rug(hue) + lamp(),
  kitchen: (hue) => room(hue) + windowToSea(480, 150, 260, 180) + kitchenUnits(hue),
  bedroom: (hue) => room(hue) + windowToSea(760, 140, 320, 280) + bed(hue),
  bathroom: (hue) => tiles(hue) + bathtub() + mirror(),
  terrace: (hue) => outdoors(hue) + sea() + floor() + railing() + table(hue),
  garden: (hue) => outdoors(hue) + ground('#7fa65c') + bushes(hue) + palm(200, 560) + palm(640, 520) + palm(1020, 570),
  view: (hue) => outdoors(hue) + sea() + hills(hue),
};

/**
 * A picture as an SVG document of 1200 by 800, captioned with its name.
 *
 * @param name letters, digits and hyphens; the last word is the scene, and the complete name determines the colours
 */
export function drawScene(name: string): string {
  const hue = hash(name) % 360;
  const draw = SCENES[name.slice(name.lastIndexOf('-') + 1)] ?? (SCENES.front as Draw);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 800" width="1200" height="800" role="img" aria-label="${name}">${draw(hue)}<rect y="740" width="1200" height="60" fill="#000" fill-opacity=".45"/><text x="30" y="780" font-family="sans-serif" font-size="30" fill="#fff">${name.replaceAll('-', ' ').toUpperCase()}</text></svg>`;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value;
}

function rect(x: number, y: number, width: number, height: number, fill: string, radius = 0): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`;
}

function path(d: string, fill: string): string {
  return `<path d="${d}" fill="${fill}"/>`;
}

function outdoors(hue: number): string {
  return `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${200 + (hue % 30)},70%,60%)"/><stop offset="1" stop-color="hsl(${30 + (hue % 20)},80%,88%)"/></linearGradient></defs>${rect(0, 0, 1200, 800, 'url(#sky)')}<circle cx="${200 + (hue % 180) * 4}" cy="150" r="60" fill="#fff3c4"/>${path(`M0 420L${150 + (hue % 90)} 300L330 400L${520 + (hue % 120)} 260L800 410L${950 + (hue % 100)} 310L1200 430V800H0Z`, `hsl(${(hue + 220) % 360},15%,62%)`)}`;
}

function ground(fill: string): string {
  return rect(0, 500, 1200, 300, fill);
}

function sea(): string {
  return (
    rect(0, 400, 1200, 400, '#3a86b7') +
    [430, 480, 550, 640].map((y, index) => rect(100 + index * 170, y, 260, 4, '#ffffff66')).join('')
  );
}

function hills(hue: number): string {
  return path(`M0 620Q300 ${480 + (hue % 80)} 620 640T1200 580V800H0Z`, '#7d9a5b') + palm(180, 640) + palm(980, 660);
}

function house(hue: number): string {
  const wall = `hsl(${hue},28%,92%)`;
  const roof = `hsl(${12 + (hue % 14)},55%,48%)`;
  const pane = `hsl(${200 + (hue % 20)},45%,45%)`;
  const windows = [350, 470, 690, 810].map((x) => rect(x, 430, 70, 90, pane, hue % 2 ? 35 : 4)).join('');
  const upper = [520, 640].map((x) => rect(x, 275, 60, 50, pane, 4)).join('');
  return `${rect(300, 380, 620, 240, wall)}${rect(460, 250, 300, 140, wall)}${path('M280 390H940L900 340H320Z', roof)}${path('M440 260H780L740 200H480Z', roof)}${windows}${upper}${rect(575, 480, 80, 140, `hsl(${(hue + 150) % 360},35%,35%)`, 6)}${path('M540 620H690L760 740H470Z', '#d9cdb8')}`;
}

function palm(x: number, y: number): string {
  const leaves = [-60, -20, 20, 60, 110, -110]
    .map((angle) => `<path d="M0 0Q50 -40 110 10Q50 -10 0 0" fill="#3f7d45" transform="rotate(${angle - 90})"/>`)
    .join('');
  return `${path(`M${x - 8} ${y}Q${x + 10} ${y - 120} ${x} ${y - 220}H${x + 12}Q${x + 24} ${y - 120} ${x + 12} ${y}Z`, '#8a6b48')}<g transform="translate(${x + 6} ${y - 220})">${leaves}</g>`;
}

function poolShape(x: number, y: number): string {
  return `<ellipse cx="${x}" cy="${y}" rx="360" ry="105" fill="#f7f3ea"/><ellipse cx="${x}" cy="${y}" rx="335" ry="88" fill="#43b5d1"/>${path(`M${x - 180} ${y - 20}q40 -20 80 0t80 0M${x} ${y + 30}q40 -20 80 0t80 0`, '#ffffff88')}`;
}

function lounger(x: number, y: number): string {
  return path(`M${x} ${y}l20 -60h16l-14 60h90v14h-12v24h-8v-24h-66v24h-8v-24h-18z`, '#fff');
}

function room(hue: number): string {
  return (
    rect(0, 0, 1200, 560, `hsl(${hue},22%,90%)`) + rect(0, 560, 1200, 240, '#c9a97f') + rect(0, 548, 1200, 12, '#fff')
  );
}

function windowToSea(x: number, y: number, width: number, height: number): string {
  const horizon = y + height * 0.55;
  return `${rect(x - 12, y - 12, width + 24, height + 24, '#fff')}${rect(x, y, width, height, '#a9d5ec')}${rect(x, horizon, width, height * 0.45, '#3a86b7')}${rect(x + width / 2 - 4, y, 8, height, '#fff')}`;
}

function sofa(hue: number): string {
  const fill = `hsl(${(hue + 180) % 360},35%,52%)`;
  return rect(120, 430, 500, 130, fill, 24) + rect(90, 490, 560, 110, fill, 24) + rect(150, 450, 110, 80, '#fff8', 14);
}

function rug(hue: number): string {
  return `<ellipse cx="560" cy="690" rx="380" ry="60" fill="hsl(${(hue + 40) % 360},40%,72%)"/>`;
}

function lamp(): string {
  return rect(1120, 330, 8, 250, '#555') + path('M1080 330h88l-22 -80h-44z', '#f5e3b3');
}

function kitchenUnits(hue: number): string {
  const fill = `hsl(${(hue + 120) % 360},25%,48%)`;
  const doors = [0, 1, 2, 3, 4].map((index) => rect(120 + index * 195, 480, 180, 170, fill, 6)).join('');
  const upper = [0, 4].map((index) => rect(120 + index * 195, 130, 180, 190, fill, 6)).join('');
  return rect(100, 455, 1000, 25, '#efe9df') + doors + upper + rect(540, 425, 120, 30, '#888', 6);
}

function bed(hue: number): string {
  return (
    rect(140, 330, 520, 180, `hsl(${(hue + 200) % 360},25%,45%)`, 18) +
    rect(140, 460, 520, 200, '#fdfbf7', 14) +
    rect(140, 540, 520, 130, `hsl(${(hue + 60) % 360},40%,65%)`, 14) +
    rect(180, 430, 190, 70, '#fff', 20) +
    rect(430, 430, 190, 70, '#fff', 20)
  );
}

function tiles(hue: number): string {
  const lines = Array.from({ length: 11 }, (_, index) => rect(index * 120, 0, 3, 560, '#fff8')).join('');
  return rect(0, 0, 1200, 560, `hsl(${hue},25%,80%)`) + lines + rect(0, 560, 1200, 240, '#d8d2c8');
}

function bathtub(): string {
  return path('M150 470H760Q760 640 640 640H270Q150 640 150 470Z', '#fff') + rect(130, 450, 650, 26, '#f4f4f4', 13);
}

function mirror(): string {
  return `<circle cx="950" cy="260" r="110" fill="#dfeef5" stroke="#b98" stroke-width="12"/>${rect(830, 440, 240, 60, '#fff', 12)}${rect(860, 500, 180, 130, '#b08d66')}`;
}

function floor(): string {
  return rect(0, 600, 1200, 200, '#d8b48a');
}

function railing(): string {
  return (
    rect(0, 470, 1200, 10, '#fff') +
    Array.from({ length: 16 }, (_, index) => rect(index * 80, 470, 6, 130, '#fff')).join('')
  );
}

function table(hue: number): string {
  const chairs = [330, 770].map((x) => rect(x, 540, 90, 130, `hsl(${hue},45%,50%)`, 12)).join('');
  return `${chairs}<ellipse cx="595" cy="590" rx="190" ry="36" fill="#f5efe4"/>${rect(585, 600, 20, 110, '#7a5c3d')}`;
}

function bushes(hue: number): string {
  return [90, 330, 480, 800, 900, 1130]
    .map(
      (x, index) =>
        `<circle cx="${x}" cy="${590 + (index % 3) * 30}" r="${50 + (index % 2) * 22}" fill="hsl(${index % 2 ? (hue + 300) % 360 : 110},45%,${index % 2 ? 60 : 38}%)"/>`,
    )
    .join('');
}

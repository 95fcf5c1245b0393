// The wagon on each kind of train card, seen from the side, in a box 64 wide and 30 high; the rail is at the bottom.
// Areas (even-odd): what lies within another area is cut out of it.

const wheel = (x: number, r = 3.4): string =>
  `M${x - r} ${29 - r}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z` +
  `M${x - 1.1} ${29 - r}a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0Z`;
const box = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}Z`;
const boxes = (xs: readonly number[], y: number, width: number, height: number): string =>
  xs.map((x) => box(x, y, width, height)).join("");

const FRAME = `M3 20.5H61V22.6H3ZM0 20.9H2.6V22.2H0ZM61.4 20.9H64V22.2H61.4Z`;
const BOGIES = FRAME + [10, 18.5, 45.5, 54].map((x) => wheel(x)).join("");
const AXLES = FRAME + [13, 51].map((x) => wheel(x, 4)).join("");

const COACH =
  "M4 20V7.5Q4 5.5 7 4.8Q32 1.6 57 4.8Q60 5.5 60 7.5V20Z" +
  boxes([13.5, 20.5, 27.5, 34.5, 41.5, 48], 9, 4.4, 5.6) +
  boxes([6.6, 54.8], 9, 2.6, 11);
const TANK =
  "M11 5.5H27V3.6Q27 2 29 2H35Q37 2 37 3.6V5.5H53Q60 5.5 60 12.5T53 19.5H11Q4 19.5 4 12.5T11 5.5Z" +
  boxes([17, 45.4], 5.5, 1.6, 14) +
  box(23, 11.6, 18, 1.8);
const HOPPER =
  "M3 8H9Q13 3 18 5.2Q22 .8 27 4.2Q32 .2 37 4.2Q43 1 46 5.2Q51 3.4 55 8H61L52.5 20H11.5Z" +
  "M15 10.2H16.8L18.8 18H17ZM31.1 10.2H32.9V18H31.1ZM47.2 10.2H49L47 18H45.2ZM23 10.2H24.8L25.8 18H24Z" +
  "M39.2 10.2H41L40 18H38.2Z";
const VAN =
  "M4 20V6.4L7 3.4H57L60 6.4V20Z" +
  "M24.4 6.6H39.6V20H38V8.2H26V20H24.4Z" +
  boxes([31.2], 8.2, 1.6, 11.8) +
  boxes([9, 13.6, 18.2, 44, 48.6, 53.2], 7.6, 1.4, 9.4);
const TIMBER =
  "M5 4H6.8V5H57.2V4H59V20H5ZM6.8 9.2V10.2H57.2V9.2ZM6.8 14.4V15.4H57.2V14.4Z" +
  boxes([20, 42.2], 5, 1.8, 4.2) +
  boxes([20, 42.2], 10.2, 1.8, 4.2) +
  boxes([20, 42.2], 15.4, 1.8, 4.6);
const GRAIN =
  "M4 14V9Q4 5 9 5H13V3.4H19V5H29V3.4H35V5H45V3.4H51V5H55Q60 5 60 9V14L54 20H46.5L43 14H39.5L36 20H28L24.5 14" +
  "H21L17.5 20H10Z" +
  boxes([20.2, 42.4], 7.4, 1.4, 4.4) +
  boxes([31.3], 7.4, 1.4, 8);
const TENDER =
  "M4 20V8.4H9Q13 2.6 19 4.6Q24 .2 30 3.2Q36 .8 39 5Q43 3.6 46 8.4H60V20Z" +
  box(8, 12, 30, 1.6) +
  box(8, 15.6, 30, 1.6) +
  box(44, 11, 12, 6.4) +
  box(45.6, 12.6, 8.8, 3.2);
const BRAKE_VAN =
  "M1.6 20V11H3.4V13.6H7V8H4.6L5.6 5.4H24V2.4L26 .4H38L40 2.4V5.4H58.4L59.4 8H57V13.6H60.6V11H62.4V20Z" +
  boxes([27, 33.4], 2.6, 3.6, 2.8) +
  boxes([12, 22, 37.6, 47.6], 10, 4.4, 4.6) +
  "M30 9.6H34V20H30Z";
const ENGINE =
  "M3 20.6V4.6H2V2.2H17.4V4.6H16.4V7.4H27V4.8Q27 3 29.2 3T31.4 4.8V7.4H45.6V3.4L43.8 1V.2H53.4V1L51.6 3.4V7.4" +
  "H54.4Q57 7.4 57 10V17.6H58.6L63.6 27.4H54.6L52.4 22.6H3Z" +
  "M6.2 6.6H13.2V12.2H6.2Z" +
  boxes([23, 37.4], 7.4, 1.5, 10.2) +
  "M52.4 7.4H53.7V17.6H52.4Z" +
  wheel(10, 5.2) +
  wheel(23.4, 5.2) +
  wheel(36.6, 5.2) +
  wheel(48, 3.4);

/** By the number of the kind of card. */
export const WAGONS: readonly string[] = [
  COACH + BOGIES,
  TANK + BOGIES,
  HOPPER + AXLES,
  VAN + BOGIES,
  TIMBER + AXLES,
  GRAIN + BOGIES,
  TENDER + BOGIES,
  BRAKE_VAN + AXLES,
  ENGINE,
];

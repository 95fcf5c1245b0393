// The kinds of train cards by number, as the server counts them: eight colours, then the locomotive.

/** The number of a locomotive among the kinds of cards. */
export const LOCOMOTIVE = 8;
/** A route of this colour takes cards of any one colour. */
export const GRAY = -1;
export const WHITE = 3;
export const BLACK = 6;

// The logo: a railway switch with its lantern; lines in a square from -12 to 12.

export const SWITCH =
  "M-4 11.5V-11.5M-4 5C-4-2 7-4 7-11.5" + // the track, and the one that leaves it
  "M-8.5 9H.5M-8.5-8.5H-.5M3-8.5H11M-4 5H5" + // sleepers, and the rod to the lantern
  "M4.5 5a2.75 2.75 0 1 0 5.5 0a2.75 2.75 0 1 0-5.5 0";

// With what the player pointed last: some things are asked for twice where a finger may have slipped.

type Pointer = "mouse" | "touch" | "keys";

let last: Pointer = "mouse";

addEventListener(
  "pointerdown",
  ({ pointerType }) => (last = pointerType === "touch" || pointerType === "pen" ? "touch" : "mouse"),
  { capture: true, passive: true },
);
addEventListener("keydown", () => (last = "keys"), { capture: true, passive: true });

export const pointer = (): Pointer => last;

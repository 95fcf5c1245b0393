import { Refusal } from "../net/api.ts";
import { refusal } from "../words/words.ts";
import { notify } from "./notices.svelte.ts";

/** Do something for a click; if it is refused, say why, and give back nothing. */
export async function attempt<Answer>(deed: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await deed();
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    notify(refusal(problem));
    return undefined;
  }
}

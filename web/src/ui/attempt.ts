import { Refusal } from "../net/api.ts";
import { refusal } from "../words/words.ts";
import { notify } from "./notices.svelte.ts";

/** Do something for a click; if it is refused, say why, and give back nothing. */
export async function attempt<Answer>(action: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await action();
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    notify(refusal(problem));
    return undefined;
  }
}

/** An answer, or why the name in the question cannot be had, which is said where the name stands. */
export async function unlessTaken<Answer>(
  asked: Promise<Answer>,
): Promise<{ answer?: Answer; taken: string | null }> {
  try {
    return { answer: await asked, taken: null };
  } catch (problem) {
    if (!(problem instanceof Refusal) || problem.code !== "name-taken") throw problem;
    return { taken: refusal(problem) };
  }
}

import { Refusal } from "../net/api.ts";
import { refusal } from "../words/words.ts";
import { notify } from "./notices.svelte.ts";

/** Run an action; if the server refuses it, show a notice and return undefined. `texts` are those of some codes,
 * where the usual ones do not fit. */
export async function attempt<Answer>(
  action: () => Promise<Answer>,
  texts: Partial<Record<Refusal["code"], string>> = {},
): Promise<Answer | undefined> {
  try {
    return await action();
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    notify(texts[problem.code] ?? refusal(problem));
    return undefined;
  }
}

interface Checked<Answer> {
  answer?: Answer;
  taken: string | null;
  /** the name at the table that looks the same */
  like: string | null;
}

/** The answer, or why a name in the request cannot be used, to be shown beside the name. */
export async function unlessTaken<Answer>(asked: Promise<Answer>): Promise<Checked<Answer>> {
  try {
    return { answer: await asked, taken: null, like: null };
  } catch (problem) {
    if (!(problem instanceof Refusal) || problem.code !== "name-taken") throw problem;
    return { taken: refusal(problem), like: problem.taken };
  }
}

// What is asked once, over HTTP.

/** The server's refusal. */
export class Problem extends Error {
  constructor(problem) {
    super(problem.message);
    this.code = problem.code;
  }
}

/** Ask the server; what it answers, or a Problem. */
export async function ask(method, path, body) {
  const request = { method, headers: {} };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers["content-type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(`/api/v1${path}`, request);
  } catch {
    throw new Problem({ code: "offline", message: "The server does not answer. Is it still running?" });
  }
  const said = await answer.json().catch(() => null);
  if (!answer.ok) throw new Problem(said ?? { code: "failed", message: answer.statusText });
  return said;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);

/** Who I am, or null for a browser that is nobody yet. */
export async function whoAmI() {
  try {
    return await get("/me");
  } catch (problem) {
    if (problem.code === "unknown-person") return null;
    throw problem;
  }
}

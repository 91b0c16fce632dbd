import { Refused } from "./refused.ts";

interface Answer {
  error?: { code: string; message: string; line?: number; column?: number };
}

/** One request to the server's HTTP API; what it refuses is thrown as Refused, and no answer as a TypeError. */
export async function api<Result>(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<Result> {
  const content = { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body ?? {}) };
  return answered(await fetch(path, { method, ...(method === "GET" ? {} : content) }));
}

/** The same with a file. */
export async function sendFile<Result>(path: string, file: Blob): Promise<Result> {
  return answered(
    await fetch(path, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file }),
  );
}

async function answered<Result>(response: Response): Promise<Result> {
  const text = await response.text();
  let answer: Answer;
  try {
    answer = JSON.parse(text) as Answer;
  } catch {
    throw new TypeError(`no answer: ${response.status}`);
  }
  if (!response.ok) {
    const { code = "failed", message = response.statusText, line, column } = answer.error ?? {};
    throw new Refused(code, message, line === undefined || column === undefined ? null : { line, column });
  }
  return answer as Result;
}

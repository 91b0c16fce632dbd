export type Route =
  | { page: "lobby" }
  | { page: "table"; table: string; position: number | null }
  | { page: "play"; game: string }
  | { page: "learn"; game: string }
  | { page: "login" }
  | { page: "register" }
  | { page: "me" }
  | { page: "settings" }
  | { page: "file" }
  | { page: "nowhere" };

/** Which page an address means. */
export function route(path: string): Route {
  const [first = "", second, third, ...rest] = path.replace(/^\/|\/$/g, "").split("/");
  if (rest.length > 0) return { page: "nowhere" };
  if (first === "" && second === undefined) return { page: "lobby" };
  if (first === "t" && second !== undefined && second !== "") {
    if (third === undefined) return { page: "table", table: second, position: null };
    if (/^\d{1,6}$/.test(third)) return { page: "table", table: second, position: Number(third) };
    return { page: "nowhere" };
  }
  if ((first === "play" || first === "learn") && second !== undefined && third === undefined)
    return { page: first, game: second };
  if (second !== undefined) return { page: "nowhere" };
  if (first === "login" || first === "register" || first === "me" || first === "settings" || first === "file")
    return { page: first };
  return { page: "nowhere" };
}

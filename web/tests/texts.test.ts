import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { parse } from "svelte/compiler";
import { describe, expect, it } from "vitest";

import { LANGUAGES } from "../src/texts/languages.ts";
import { FIRST, inLanguage, languages } from "../translated.ts";

const WEB = join(import.meta.dirname, "..");
const SOURCE = join(WEB, "src");
const OTHERS = languages().filter((language) => language !== FIRST);
const FILES = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(ts|svelte)$/.test(entry.name))
  .map((entry) => relative(SOURCE, join(entry.parentPath, entry.name)))
  .sort();
const TRANSLATIONS = new RegExp(`\\.(${OTHERS.join("|")})\\.ts$`);
const SOURCES = FILES.filter((path) => !TRANSLATIONS.test(path));
/** Modules of words: by their name, or because somebody has written one in another language. */
const MODULES = SOURCES.filter(
  (path) =>
    /(^|[/_])(texts|page|grammar)\.ts$/.test(path) ||
    // What the server refuses it says itself in English (tests/net/test_refusals.py).
    (!path.endsWith("/refusals.ts") && OTHERS.some((language) => existsSync(join(SOURCE, inLanguage(path, language))))),
);

const read = (path: string) => readFileSync(join(SOURCE, path), "utf8");

async function exported(path: string): Promise<Record<string, unknown>> {
  return (await import(join(SOURCE, path))) as Record<string, unknown>;
}

/** Every text of a module, by its path: `words.form.title`. */
function texts(value: unknown, path: string): [path: string, text: string | ((...args: never[]) => unknown)][] {
  if (typeof value === "string" || typeof value === "function") return [[path, value as string]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => texts(inside, `${path}.${key}`));
}

/** Names and single words may be the same in two languages. */
const THREE_WORDS = /^(\p{L}+[,;:.]? ){2}\p{L}/u;

const shape = (module: Record<string, unknown>) =>
  Object.entries(module)
    .flatMap(([name, value]) => texts(value, name))
    .map(([path, text]) => (typeof text === "function" ? `${path}(${text.length})` : path))
    .sort();

describe("languages", () => {
  it("are offered by their own names, each of those that are built and no other", () => {
    expect(Object.keys(LANGUAGES).sort()).toEqual(languages().sort());
  });

  it.each(OTHERS)("%s begins with the same page", (language) => {
    const plain = (path: string) =>
      readFileSync(join(WEB, path), "utf8")
        .replace(/lang="\w+"/, "")
        .replace(/(name="description" content=")[^"]+/, "$1")
        .replace(/manifest(\.\w+)?\.webmanifest/, "manifest")
        .replace(/(<noscript>)[^]*(<\/noscript>)/, "$1$2");
    expect(plain(inLanguage("index.html", language))).toBe(plain("index.html"));
    expect(readFileSync(join(WEB, inLanguage("index.html", language)), "utf8")).toContain(`lang="${language}"`);
    const manifest = (path: string) => JSON.parse(readFileSync(join(WEB, path), "utf8")) as Record<string, unknown>;
    const own = manifest(inLanguage("public/manifest.webmanifest", language));
    expect(own["lang"]).toBe(language);
    expect({ ...own, lang: "", description: "" }).toEqual({ ...manifest("public/manifest.webmanifest"), lang: "", description: "" });
  });

  it("have words to look at", () => {
    expect(MODULES.length).toBeGreaterThan(12);
  });

  describe.each(OTHERS)("%s", (language) => {
    it.each(MODULES)("says all of %s, and nothing else", async (path) => {
      const own = inLanguage(path, language);
      expect(existsSync(join(SOURCE, own)), `${own} is missing`).toBe(true);
      expect(shape(await exported(own))).toEqual(shape(await exported(path)));
    });

    it.each(MODULES)("says all of %s in its own words", async (path) => {
      const said = async (module: string) => Object.entries(await exported(module)).flatMap(([name, value]) => texts(value, name));
      const first = new Map(await said(path));
      const copied = (await said(inLanguage(path, language))).filter(([key, text]) => text === first.get(key) && THREE_WORDS.test(String(text)));
      expect(copied).toEqual([]);
    });
  });

  it.each(OTHERS)("%s has no words for what the page refuses by itself: it has said why", async (language) => {
    const { refusals } = await exported(inLanguage("texts/refusals.ts", language));
    const own = SOURCES.flatMap((path) => [...read(path).matchAll(/new Refused\("(\w+)"/g)].map(([, code]) => code!));
    expect(own).toContain("not_sent");
    expect(own.filter((code) => Object.hasOwn(refusals as object, code))).toEqual([]);
  });

  it.each(FILES.filter((path) => MODULES.includes(path) || TRANSLATIONS.test(path)))("%s has no empty text", async (path) => {
    const blank = Object.entries(await exported(path))
      .flatMap(([name, value]) => texts(value, name))
      .filter(([, text]) => typeof text === "string" && text.trim() === "");
    expect(blank).toEqual([]);
  });
});

/** Where in the modules of words each name of a source file leads: `words` to `games/tower/texts.ts words`. */
function names(path: string, source: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, list, from] of source.matchAll(/import(?! type)\s*{([^}]*)}\s*from\s*"(\.[^"]+)"/g)) {
    let module = relative(SOURCE, join(SOURCE, path, "..", from!));
    if (module === "texts/index.ts") module = "texts/page.ts";
    if (!MODULES.includes(module)) continue;
    for (const part of list!.split(",")) {
      const [, name, as] = /(\w+)(?:\s+as\s+(\w+))?/.exec(part.trim()) ?? [];
      if (name !== undefined) found.set(as ?? name, `${module} ${name}`);
    }
  }
  if (MODULES.includes(path)) for (const [, name] of source.matchAll(/export const (\w+)/g)) found.set(name!, `${path} ${name}`);
  return found;
}

/** Every text that a source file uses, or all texts that begin like that. */
function used(path: string): string[] {
  let source = read(path).replaceAll("?.", ".").replaceAll("!.", ".");
  const known = names(path, source);
  if (known.size === 0) return [];
  // Another name for a part of the words uses none of them yet.
  const lead = (chain: string) => {
    const [name, ...rest] = chain.split(".");
    const start = known.get(name!);
    return start === undefined ? undefined : [start, ...rest].join(".");
  };
  source = source.replace(/(?:const|let) (\w+) = ((\w+)(?:\.\w+)*);/g, (whole, name: string, chain: string) => {
    const leads = lead(chain);
    if (leads !== undefined) known.set(name, leads);
    return leads === undefined ? whole : "";
  });
  source = source.replace(/import [^;]*;/g, "").replace(/export const \w+/g, "");
  // Names of classes, of what is in an object, and in what is said of the code lead nowhere.
  source = source
    .replace(/<style>[^]*<\/style>|<!--[^]*?-->|\/\*[^]*?\*\/|\/\/.*/g, "")
    .replace(/"[^"{}\n]*"|\b\w+\??:(?=\s)/g, "");
  return [...source.matchAll(/(?<!\w|[\w)\]]\s*\.)\w+(?:\s*\.\s*\w+)*/g)].flatMap(([chain]) => lead(chain.replace(/\s/g, "")) ?? []);
}

/** A use as far as it leads to words: what is done with them is not part of it, as in `words.list.map`. */
function whole(use: string, modules: ReadonlyMap<string, Record<string, unknown>>): string {
  const [module, chain] = use.split(" ") as [string, string];
  let value: unknown = modules.get(module);
  const parts = chain.split(".");
  const end = parts.findIndex((part) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return true;
    value = (value as Record<string, unknown>)[part];
    return false;
  });
  return `${module} ${parts.slice(0, end < 0 ? parts.length : end).join(".")}`;
}

describe("every text", () => {
  it("is used somewhere", async () => {
    const modules = new Map(await Promise.all(MODULES.map(async (path) => [path, await exported(path)] as const)));
    const uses = new Set(SOURCES.flatMap(used).map((use) => whole(use, modules)));
    const unused: string[] = [];
    for (const module of MODULES) {
      for (const [name, value] of Object.entries(modules.get(module)!)) {
        for (const [path] of texts(value, name)) {
          const parts = path.split(".");
          const beginnings = parts.map((_, index) => `${module} ${parts.slice(0, index + 1).join(".")}`);
          if (!beginnings.some((beginning) => uses.has(beginning))) unused.push(`${module}: ${path}`);
        }
      }
    }
    expect(unused).toEqual([]);
  });
});

const SAID = /^(aria-label|aria-description|aria-roledescription|aria-valuetext|title|alt|placeholder|label|text|hint|legend|picture|empty)$/;
/** A letter by itself is a sign: the mark of a seat, the initial of a chain. */
const WORDS = /\p{L}{2}/u;
/** What code says: words in a row, a word with a capital, or one beside what is put into a text. */
const SENTENCE = /\p{L}{2,}[,;.]? \p{L}{2,}/u;
const CAPITAL = /^\p{Lu}\p{Ll}+[.?…]?$/u;
const BESIDE = /^ ?\p{L}{2,} $|^ \p{L}{2,}[.?]?$|^\p{Lu}\p{Ll}+[ :]/u;
/** Code that looks like words: style, selectors, options of games. */
const CODE = /[{}()[\]<>=_]|\w:\w|^[\w-]+(, [\w-]+)+$/;
/** Keys, what browsers call things, and what parts of the page tell each other. */
const NOT_SAID = new Set(["Enter", "Escape", "Home", "End", "Tab", "Files", "Notification", "take over", "gamut "]);
/** Names are the same in every language. */
const NAMES = new Set(["games/acquire/plan.ts", "texts/languages.ts"]);

interface Node {
  type?: string;
  name?: string;
  value?: unknown;
  data?: string;
  callee?: { name?: string; object?: { name?: string }; property?: { name?: string } };
  [key: string]: unknown;
}

/** Faults are told in English to whoever looks into the console, and a list may be written as one string. */
const isForNobody = ({ type, callee }: Node) =>
  (type === "CallExpression" && (/^(console|faults)$/.test(callee?.object?.name ?? "") || callee?.property?.name === "split")) ||
  (type === "NewExpression" && /Error$/.test(callee?.name ?? ""));

/** Words that stand in a component or in code, and not in a module of words. */
function inline(source: string): string[] {
  const found: string[] = [];
  const told = (text: string) => {
    if (!NOT_SAID.has(text)) found.push(text.trim());
  };
  const look = (node: unknown, said: boolean): void => {
    if (Array.isArray(node)) for (const one of node) look(one, said);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type = "", name = "", value, data = "", operator } = node as Node;
    if (/^(TSLiteralType|ImportDeclaration|ExportAllDeclaration|StyleDirective)$/.test(type) || isForNobody(node as Node)) return;
    if (type === "Text" && WORDS.test(data)) told(data);
    if (type === "Literal" && typeof value === "string") {
      if (said ? WORDS.test(value) : !CODE.test(value) && (SENTENCE.test(value) || CAPITAL.test(value))) told(value);
    }
    if (type === "TemplateElement") {
      const { cooked } = value as { cooked: string };
      if (said ? WORDS.test(cooked) : !CODE.test(cooked) && (SENTENCE.test(cooked) || BESIDE.test(cooked))) told(cooked);
    }
    if (type === "Attribute" && Array.isArray(value) && !SAID.test(name)) return;
    // What is compared, or leads to words, is not said itself.
    const inside = (said || (type === "Attribute" && SAID.test(name))) && operator !== "===" && operator !== "!==" && !/^(Call|Member)Expression$/.test(type);
    for (const [key, part] of Object.entries(node as Node)) if (key !== "metadata" && key !== "parent") look(part, inside);
  };
  const { fragment, instance, module } = parse(source, { modern: true });
  look([fragment.nodes, instance?.content, module?.content], false);
  return found;
}

const WITHOUT_WORDS = SOURCES.filter((path) => !MODULES.includes(path) && !NAMES.has(path));
const asComponent = (path: string) => (path.endsWith(".svelte") ? read(path) : `<script lang="ts">${read(path)}</script>`);

describe("words", () => {
  it.each(WITHOUT_WORDS)("are not in %s itself", (path) => {
    expect(inline(asComponent(path))).toEqual([]);
  });

  it.each([
    "<p>Hello</p>",
    "<p>{'Hello there'}</p>",
    '<button title="Close" />',
    "<button aria-label={open ? 'close' : words.open} />",
    "<button aria-label={`more: ${name}`} />",
    "<Field label='Name' />",
    "<script>announce('Your turn');</script>",
    "<script>announce(`${name} moved`);</script>",
    "<script>announce(`Turn: ${name}`);</script>",
    "<script>document.title = 'Settings';</script>",
    "<script lang='ts'>throw new Refused('code', 'That is not possible.') as Error;</script>",
  ])("are found in %s", (source) => {
    expect(inline(source)).toHaveLength(1);
  });
});

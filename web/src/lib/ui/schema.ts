import type { OptionWords } from "../../games/game.ts";
import { same } from "../same.ts";
import type { JsonSchema } from "../wire/types.ts";

export type Field = { name: string; title: string; hint: string | null } & (
  | { kind: "flag" }
  | { kind: "choice"; choices: { value: unknown; text: string }[] }
  | { kind: "number"; whole: boolean; least: number | null; most: number | null }
  | { kind: "text"; longest: number | null }
  | { kind: "other" }
);

/** The fields of a form for an object that a JSON schema describes: a new game needs no code of its own here. */
export function fieldsOf(
  schema: JsonSchema,
  defaults: Record<string, unknown>,
  words: Record<string, OptionWords | null> = {},
): Field[] {
  const definitions = schema.$defs ?? {};
  const object = resolved(schema, definitions);
  return Object.entries(object.properties ?? {}).flatMap(([name, property]) =>
    words[name] === null ? [] : [field(name, resolved(property, definitions), defaults[name], words[name])],
  );
}

/** An option and its value as people read them; null for what need not be told. */
export function optionText(
  name: string,
  value: unknown,
  words: OptionWords | null | undefined,
): { title: string; value: string } | null {
  if (words === null) return null;
  const preset = words?.presets?.find((one) => same(one.value, value))?.text;
  const choice = words?.choices?.[String(value)];
  // What is off, and has no word for that, is as usual.
  if (value === false && words?.choices !== undefined && choice === undefined) return null;
  return { title: words?.title ?? sentence(name), value: preset ?? choice ?? String(value) };
}

function resolved(schema: JsonSchema, definitions: Record<string, JsonSchema>): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split("/").at(-1) ?? "";
  return { ...definitions[name], ...schema };
}

function field(name: string, schema: JsonSchema, value: unknown, words: OptionWords | undefined): Field {
  const title = words?.title ?? schema.title ?? sentence(name);
  const about = { name, title, hint: words?.hint ?? schema.description ?? null };
  if (words?.presets !== undefined) return { ...about, kind: "choice", choices: words.presets };
  if (schema.enum !== undefined) {
    // In the order of the words, where there are any: the schema's is that of the alphabet.
    const order = Object.keys(words?.choices ?? {});
    const choices = schema.enum
      .map((choice) => ({ value: choice, text: words?.choices?.[choice] ?? String(choice) }))
      .sort((one, other) => order.indexOf(String(one.value)) - order.indexOf(String(other.value)));
    return { ...about, kind: "choice", choices };
  }
  const type = schema.type ?? typeof value;
  if (type === "boolean") return { ...about, kind: "flag" };
  if (type === "integer" || type === "number") {
    const least = schema.minimum ?? (schema.exclusiveMinimum === undefined ? null : schema.exclusiveMinimum + 1);
    const most = schema.maximum ?? (schema.exclusiveMaximum === undefined ? null : schema.exclusiveMaximum - 1);
    return { ...about, kind: "number", whole: type === "integer", least, most };
  }
  if (type === "string") return { ...about, kind: "text", longest: schema.maxLength ?? null };
  return { ...about, kind: "other" };
}

function sentence(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

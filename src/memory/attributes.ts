export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Free attributes of a page: a JSON object of at most 16 KiB. */
export type JsonObject = { readonly [key: string]: JsonValue };

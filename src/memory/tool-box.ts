import type { Access } from './access.ts';
import type { JsonObject } from './attributes.ts';
import type { AccessScope } from './principal.ts';

/** A tool as it is shown to a model. */
export type ToolDefinition = {
  readonly name: string;
  /** Semantic version. Another meaning of the arguments is another version. */
  readonly version: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object that takes nothing else. */
  readonly inputSchema: JsonObject;
  /** Whether models are told of it; the others are called by name and version alone. */
  readonly isAdvertised: boolean;
  /** What the caller needs. */
  readonly scope: AccessScope;
};

export type ToolAnswer = {
  readonly name: string;
  readonly version: string;
  readonly result: JsonObject;
  /** The same, as lines for a model to read. */
  readonly text: string;
};

export type CallableTool = ToolDefinition & {
  /**
   * Runs it. An argument of null is one that is left out.
   *
   * @throws {ForbiddenError} without the tool's scope
   * @throws {InvalidInputError} naming the first argument that does not fit: unknown ones first, then
   * in the order of the schema
   * @throws what the operation throws, its fields named as arguments
   */
  readonly call: (access: Access, args: JsonObject) => Promise<ToolAnswer>;
};

/** What models may call. */
export type ToolBox = {
  /** By name, newest version first; those that models are told of alone, unless said. */
  readonly list: (options?: { readonly includeUnadvertised?: boolean }) => readonly CallableTool[];
  /**
   * @param version  the newest advertised one where null
   * @throws {NotFoundError} naming `name` or `version`
   */
  readonly find: (name: string, version: string | null) => CallableTool;
};

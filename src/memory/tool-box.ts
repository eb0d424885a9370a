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

export type ToolRequest = {
  readonly name: string;
  /** Null for the newest advertised one. */
  readonly version: string | null;
  readonly arguments: JsonObject;
};

export type ToolAnswer = {
  readonly name: string;
  readonly version: string;
  readonly result: JsonObject;
  /** The same, as lines for a model to read. */
  readonly text: string;
};

/** What models may call. */
export type ToolBox = {
  /** By name, newest version first. */
  readonly tools: readonly ToolDefinition[];
  /**
   * Runs a tool. An argument of null is one that is left out.
   *
   * @throws {NotFoundError} naming `name` or `version`, for a tool that is not there
   * @throws {ForbiddenError} without the tool's scope
   * @throws {InvalidInputError} naming the first argument that does not fit: unknown ones first, then
   * in the order of the schema
   * @throws what the operation throws
   */
  call(access: Access, request: ToolRequest): Promise<ToolAnswer>;
};

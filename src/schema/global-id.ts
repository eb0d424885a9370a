import { validate } from 'uuid';
import { InvalidInputError } from '../memory/errors.ts';

/** The types that have global ids. */
const NODE_TYPES = ['Page', 'Project', 'Session', 'Person'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

export type NodeId = { readonly type: NodeType; readonly id: string };

/** `Page`, uuid -> an opaque id: base64url of `Page:<uuid>`. */
export function toGlobalId(type: string, id: string | number | bigint): string {
  return Buffer.from(`${type}:${id}`).toString('base64url');
}

/** The type and uuid of a global id, or null when it is not one of ours. */
export function readGlobalId(globalId: string): NodeId | null {
  const [name, id, ...rest] = Buffer.from(globalId, 'base64url').toString('utf8').split(':');
  const type = NODE_TYPES.find((known) => known === name);
  if (rest.length > 0 || type === undefined || !validate(id)) return null;
  if (id === undefined || toGlobalId(type, id) !== globalId) return null;
  return { type, id };
}

/** As `readGlobalId`, in the shape that the relay plugin asks for. @throws {InvalidInputError} */
export function fromGlobalId(globalId: string): { typename: string; id: string } {
  const found = readGlobalId(globalId);
  if (found === null) throw new InvalidInputError('id', 'an id that this server gave', globalId);
  return { typename: found.type, id: found.id };
}

/** The uuid of a page from its global id. @throws {InvalidInputError} naming `field` */
export function toPageId(globalId: string, field: string): string {
  return toIdOf('Page', globalId, field);
}

/** As `toPageId`, of a session. */
export function toSessionId(globalId: string, field: string): string {
  return toIdOf('Session', globalId, field);
}

/** As `toPageId`, of a person. */
export function toPersonId(globalId: string, field: string): string {
  return toIdOf('Person', globalId, field);
}

/** The uuid of an edge, which is its id as it is. @throws {InvalidInputError} naming `field` */
export function toEdgeId(id: string, field: string): string {
  if (!validate(id)) throw new InvalidInputError(field, 'the id of an Edge', id);
  return id;
}

function toIdOf(type: NodeType, globalId: string, field: string): string {
  const found = readGlobalId(globalId);
  if (found?.type !== type) {
    throw new InvalidInputError(field, `the id of a ${type}`, globalId);
  }
  return found.id;
}

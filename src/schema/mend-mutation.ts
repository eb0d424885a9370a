import type { JsonObject } from '../memory/attributes.ts';
import type { MendAction } from '../memory/lint/finding.ts';
import { toGlobalId } from './global-id.ts';

export type MendMutation = { readonly document: string; readonly variables: JsonObject };

const ANSWER = '{ __typename ... on Failure { code message } }';

const RESOLVE = `mutation ($edge: ID!, $outcome: Resolution!, $note: String) {
  resolveContradiction(input: { edge: $edge, outcome: $outcome, note: $note }) ${ANSWER}
}`;

const WRITE = `mutation ($project: String!, $path: String!, $title: String!, $body: String) {
  writePage(input: { project: $project, page: { path: $path, title: $title, body: $body } }) ${ANSWER}
}`;

const LINK = `mutation ($kind: EdgeKind!, $from: ID!, $to: ID!, $note: String) {
  linkPages(input: { edges: [{ kind: $kind, from: $from, to: $to, note: $note }] }) ${ANSWER}
}`;

const UNLINK = `mutation ($kind: EdgeKind!, $from: ID!, $to: ID!) {
  unlinkPages(input: { edges: [{ kind: $kind, from: $from, to: $to }] }) ${ANSWER}
}`;

/** The operation of this schema that an action stands for, with the variables that are known. */
export function toMutation(action: MendAction): MendMutation {
  switch (action.name) {
    case 'resolveContradiction':
      return { document: RESOLVE, variables: { edge: action.edgeId } };
    case 'writePage':
      return { document: WRITE, variables: { project: action.project, path: action.path } };
    case 'linkPages':
    case 'unlinkPages': {
      const { kind, fromId, toId } = action.edge;
      return {
        document: action.name === 'linkPages' ? LINK : UNLINK,
        variables: { kind, from: toGlobalId('Page', fromId), to: toGlobalId('Page', toId) },
      };
    }
  }
}

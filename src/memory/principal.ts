import type { Sensitivity } from './page.ts';

export const ACCESS_SCOPES = ['memory:read', 'memory:write', 'memory:admin'] as const;
export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** What the name of a tenant or of a principal is, for a message. */
export const PRINCIPAL_NAME = 'a name of 1 to 200 characters without controls';

export function isPrincipalName(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(text) && text.trim() === text;
}

/** Who calls, and what they may touch. */
export type Principal = {
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly AccessScope[];
  /** Names of the projects that they may read and write; `ALL` for every project of the tenant. */
  readonly projects: readonly string[] | 'ALL';
  /** The highest sensitivity that they may read or write. */
  readonly clearance: Sensitivity;
};

/** The one principal of an embedded store that listens on loopback without keys. */
export const LOCAL_PRINCIPAL: Principal = {
  tenant: 'local',
  name: 'local',
  scopes: ['memory:read', 'memory:write', 'memory:admin'],
  projects: 'ALL',
  clearance: 'RESTRICTED',
};

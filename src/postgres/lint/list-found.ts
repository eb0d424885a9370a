import type { Found, LintQuery } from '../../memory/lint-store.ts';
import type { View } from '../../memory/view.ts';
import { viewValues } from '../page-view.ts';
import type { Connection } from '../session.ts';

/**
 * Runs the statement of one rule. It has no name: the plan must know how few are asked for, and
 * whether it begins at a key. Beside the view's $1 to $5 (see `viewValues`) it takes
 *
 *     $6 uuid    the project      $8 text[]  the key to begin after, or null
 *     $7 int8    how many at most
 */
export function listFound<Facts>(
  connection: Connection,
  view: View,
  { project, first, after }: LintQuery,
  text: string,
): Promise<Found<Facts>[]> {
  return connection.query<Found<Facts>>({
    text,
    values: [...viewValues(view), project.id, first, after],
  });
}

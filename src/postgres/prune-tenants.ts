/**
 * Removes what is old of each tenant, one bounded statement after the other until one finds less
 * than it may take.
 *
 * @param batch  most rows of one statement
 * @returns how many rows were removed
 */
export async function pruneTenants(
  tenants: readonly { readonly tenant: string }[],
  batch: number,
  prune: (tenant: string) => Promise<number>,
): Promise<number> {
  let removed = 0;
  for (const { tenant } of tenants) {
    let inBatch: number;
    do {
      inBatch = await prune(tenant);
      removed += inBatch;
    } while (inBatch === batch);
  }
  return removed;
}
